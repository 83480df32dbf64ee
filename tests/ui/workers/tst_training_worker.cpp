// labels: threads
#include "tests/core/runs/small_run.h"
#include "tests/support/patient.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "ui/workers/training/training_worker.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <map>

using namespace headscope;
using namespace headscope::test;
using namespace headscope::ui;

namespace {

/// What a worker says, kept.
struct Words
{
    explicit Words(TrainingWorker& worker)
    {
        QObject::connect(&worker, &TrainingWorker::stateChanged, &worker,
                         [this](TrainingPhase state) { states.push_back(state); });
        QObject::connect(&worker, &TrainingWorker::failed, &worker,
                         [this](const QString& text) { sentences << text; });
        QObject::connect(&worker, &TrainingWorker::diverged, &worker,
                         [this](qint64 step, const QString&, std::optional<qint64> good) {
                             divergedAt = step;
                             lastGood = good;
                         });
        QObject::connect(&worker, &TrainingWorker::published, &worker,
                         [this, &worker](const TrainingSnapshotPtr& snapshot) {
                             for (const LivePoint& point : snapshot->points)
                                 losses[point.progress.report.step] = point.progress.report.loss;
                             newest = snapshot;
                             worker.runner().taken(0.0);
                         });
    }

    bool is(TrainingPhase state) const { return !states.empty() && states.back() == state; }

    std::vector<TrainingPhase> states;
    QStringList sentences;
    std::map<std::int64_t, double> losses;
    TrainingSnapshotPtr newest;
    std::optional<qint64> divergedAt, lastGood;
};

TrainingStart startIn(const std::filesystem::path& folder, const TrainingConfig& config,
                      bool runsAtOnce = true)
{
    TrainingStart start;
    start.config = config;
    start.folder = folder;
    start.device = "cpu";
    start.runsAtOnce = runsAtOnce;
    return start;
}

TrainingStart resumed(const std::filesystem::path& folder, bool runsAtOnce = true)
{
    TrainingStart start = startIn(folder, {}, runsAtOnce);
    start.kind = TrainingStart::Kind::Resume;
    return start;
}

std::map<std::int64_t, double> lossesOf(LiveRun& run)
{
    std::map<std::int64_t, double> losses;
    while (!run.isDone()) {
        const StepReport report = run.step().progress.report;
        losses[report.step] = report.loss;
    }
    return losses;
}

} // namespace

class TstTrainingWorker : public QObject
{
    Q_OBJECT

private:
    Folder m_folder;

private slots:

    void itsLossesAreThoseOfARunWithoutAWindow()
    {
        LiveRun plain = LiveRun::create(smallTrainingConfig(), optionsFor(m_folder.path("plain")));
        const auto expected = lossesOf(plain);
        TrainingWorker worker{{}};
        Words words(worker);
        worker.runner().begin(startIn(m_folder.path("worker"), smallTrainingConfig()));
        QTRY_VERIFY(words.is(TrainingPhase::Done));
        QTRY_COMPARE(words.losses.size(), expected.size());
        QVERIFY(words.losses == expected);
        worker.runner().stop();
        QTRY_VERIFY(words.is(TrainingPhase::Stopped));
        QVERIFY(logOf(m_folder.path("worker")) == logOf(m_folder.path("plain")));
        QCOMPARE(weightsOf(m_folder.path("worker"), 60), weightsOf(m_folder.path("plain"), 60));
        QCOMPARE(words.newest->step, std::int64_t(60));
        QVERIFY(std::ranges::equal(words.newest->model->parameters().values(),
                                   plain.model()->parameters().values()));
    }

    void pausesStepsAndResumesChangeNothing()
    {
        LiveRun plain = LiveRun::create(smallTrainingConfig(), optionsFor(m_folder.path("even")));
        const auto expected = lossesOf(plain);
        std::map<std::int64_t, double> losses;
        {
            TrainingWorker worker{{}};
            Words words(worker);
            worker.runner().begin(startIn(m_folder.path("uneven"), smallTrainingConfig(), false));
            QTRY_VERIFY(words.is(TrainingPhase::Paused));
            QVERIFY(words.newest && words.newest->step == 0);
            for (int step = 0; step < 3; ++step)
                worker.runner().step();
            QTRY_COMPARE(words.losses.size(), std::size_t(3));
            worker.runner().stop();
            QTRY_VERIFY(words.is(TrainingPhase::Stopped));
            worker.runner().begin(resumed(m_folder.path("uneven")));
            QTRY_VERIFY(words.losses.size() > 10);
            worker.runner().pause();
            QTRY_VERIFY(words.is(TrainingPhase::Paused) || words.is(TrainingPhase::Done));
            losses = words.losses;
        } // saves and waits
        TrainingWorker worker{{}};
        Words words(worker);
        worker.runner().begin(resumed(m_folder.path("uneven")));
        QTRY_VERIFY(words.is(TrainingPhase::Done));
        QTRY_VERIFY(words.newest->step == 60);
        losses.insert(words.losses.begin(), words.losses.end());
        QVERIFY(losses == expected);
    }

    void changedSettingsTakeEffectAndAreMarked()
    {
        TrainingWorker worker{{}};
        Words words(worker);
        worker.runner().begin(startIn(m_folder.path("changed"), smallTrainingConfig(), false));
        QTRY_VERIFY(words.is(TrainingPhase::Paused));
        worker.runner().step();
        LiveSettings settings = liveSettingsOf(smallTrainingConfig());
        settings.learningRate = 0.001;
        worker.runner().change(settings);
        worker.runner().step();
        QTRY_VERIFY(words.newest && words.newest->step == 2 && words.newest->settings == settings);
        const RunCurves curves = RunCurves::read(m_folder.path("changed"));
        QCOMPARE(curves.lines.back().learningRate, 0.001);
        QVERIFY(std::ranges::any_of(curves.events, [](const RunEvent& event) {
            return event.kind == RunEvent::Kind::SettingsChanged && event.step == 1;
        }));
    }

    void badWishesBecomeOneSentence()
    {
        TrainingWorker worker{{}};
        Words words(worker);
        worker.runner().begin(startIn(m_folder.path("bad"), smallTrainingConfig(), false));
        QTRY_VERIFY(words.is(TrainingPhase::Paused));
        LiveSettings settings = liveSettingsOf(smallTrainingConfig());
        settings.learningRate = -1.0;
        worker.runner().change(settings);
        QTRY_COMPARE(words.sentences.size(), 1);
        QVERIFY(words.is(TrainingPhase::Paused)); // and the run goes on
        worker.runner().step();
        QTRY_VERIFY(words.newest->step == 1);
        worker.runner().begin(startIn(m_folder.path("bad"), smallTrainingConfig()));
        QTRY_COMPARE(words.sentences.size(), 2); // the folder is not empty
        QTRY_VERIFY(words.is(TrainingPhase::None));
    }

    void aRunThatDivergesSaysWhereAndWhatIsLeft()
    {
        TrainingConfig config = smallTrainingConfig();
        config.optimizer.learningRate = 1e9;
        config.optimizer.clipNorm = std::nullopt;
        TrainingWorker worker{{}};
        Words words(worker);
        worker.runner().begin(startIn(m_folder.path("diverged"), config));
        QTRY_VERIFY(words.divergedAt.has_value());
        QVERIFY(words.is(TrainingPhase::Diverged));
        QVERIFY(words.lastGood && *words.lastGood < *words.divergedAt);
    }

    void nothingIsPublishedBeforeTheLastWasTaken()
    {
        TrainingWorker worker{{}};
        int published = 0;
        connect(&worker, &TrainingWorker::published, this, [&published] { ++published; });
        QSignalSpy states(&worker, &TrainingWorker::stateChanged);
        TrainingConfig config = smallTrainingConfig();
        config.steps = 400;
        worker.runner().begin(startIn(m_folder.path("untaken"), config));
        QTRY_COMPARE(states.size(), 3); // prepares, runs, is done
        QTRY_COMPARE(published, 2);     // the first, and the last at once
    }

    void weightsAreCopiedOnlyForWhoLooks()
    {
        TrainingWorker worker{{}};
        Words words(worker);
        worker.runner().wantModels(false);
        worker.runner().begin(startIn(m_folder.path("unseen"), smallTrainingConfig(), false));
        QTRY_VERIFY(words.newest != nullptr);
        QVERIFY(!words.newest->model);
        worker.runner().wantModels(true);
        QTRY_VERIFY(words.newest->model != nullptr);
    }

    void preparingCanBeCancelled()
    {
        TrainingConfig config = smallTrainingConfig();
        config.data = {};
        config.data.task = TrainingTask::Stories;
        config.data.bytes = 60'000'000;
        TrainingWorker worker{{}};
        Words words(worker);
        QSignalSpy reported(&worker, &TrainingWorker::reported);
        worker.runner().begin(startIn(m_folder.path("long"), config));
        QTRY_VERIFY(reported.size() > 0);
        worker.runner().cancelPreparation();
        QTRY_VERIFY_WITH_TIMEOUT(words.is(TrainingPhase::None), 60'000);
        QVERIFY(words.sentences.isEmpty());
        QVERIFY(!std::filesystem::exists(m_folder.path("long")));
    }
};

HEADSCOPE_WINDOW_TEST(TstTrainingWorker)
#include "tst_training_worker.moc"
