// labels: threads
#include "core/io/checkpoint.h"
#include "tests/core/runs/small_run.h"
#include "tests/support/patient.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/support/user_folder.h"
#include "tests/ui/child.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/pages/experiments/experiments_page.h"
#include "ui/pages/runs/run_form_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/pages/train/train_film.h"
#include "ui/pages/train/train_page.h"
#include "ui/pages/train/train_plan.h"
#include "ui/pages/train/train_settings.h"
#include "ui/session/runs/run_draft.h"
#include "ui/session/runs/training.h"
#include "ui/session/samples.h"
#include "ui/session/things_to_try.h"
#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/widgets/charts/lines/timeline_widget.h"

#include <QImage>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

using namespace headscope;
using namespace headscope::ui;
using namespace headscope::ui::test;
using headscope::test::Folder;
using headscope::test::smallTrainingConfig;
using headscope::test::UserFolder;

namespace {

/// A window on its Train page, with a library of its own.
struct TrainFixture : UserFolder, WindowFixture
{
    TrainFixture(const Folder& folder, const char* name)
        : UserFolder("XDG_DATA_HOME", folder.path(name))
    {
        window->showPage("train");
        window->activateWindow();
    }

    ~TrainFixture() { training().stop(); }

    Training& training() { return session.training(); }

    TrainPage& page() { return headscope::ui::test::partOf<TrainPage>(*window); }

    TrainPlan& plan() { return childOf<TrainPlan>(page()); }

    const LineChartContent& upperChart()
    {
        return childOf<LineChart>(page(), "upperChart").content();
    }

    TimelineWidget& timeline() { return childOf<TimelineWidget>(page()); }

    /// A run that waits after so many steps.
    bool trainTo(std::int64_t steps)
    {
        RunText probe;
        probe.text = "the cat sat on the mat";
        TrainingConfig config = smallTrainingConfig();
        config.steps = steps;
        training().start(config, "small", probe);
        return QTest::qWaitFor([this] { return training().state() == TrainingPhase::Done; },
                               60'000) &&
               QTest::qWaitFor([this, steps] { return training().record().step == steps; });
    }

    bool isSettled() { return !session.computation().isRunning() && session.traceA(); }

    bool shows(std::int64_t step)
    {
        const std::string path = training().record().snapshotPath(step).string();
        return session.model().name == path && isSettled();
    }
};

bool isSame(const Model& one, const Model& other)
{
    return std::ranges::equal(one.parameters().values(), other.parameters().values());
}

} // namespace

class TstTraining : public QObject
{
    Q_OBJECT

private:
    Folder m_folder;

private slots:

    void theKeyboardTrainsAModel()
    {
        TrainFixture fixture(m_folder, "keyboard");
        TrainPage& page = fixture.page();
        QVERIFY(page.isPlanning());
        QVERIFY(QTest::qWaitForWindowActive(fixture.window.get()));
        fixture.plan().chooseTask("repeat");
        for (QSpinBox* field : fixture.plan().findChildren<QSpinBox*>())
            if (field->accessibleName() == "Steps")
                field->setValue(1'000'000);
        QTest::keyClick(fixture.window.get(), Qt::Key_F5);
        Training& training = fixture.training();
        QTRY_VERIFY_WITH_TIMEOUT(training.record().step >= 2, 60'000);
        QVERIFY(fixture.window->windowTitle().contains("(step "));
        QTest::keyClick(fixture.window.get(), Qt::Key_F5);
        QTRY_COMPARE(training.state(), TrainingPhase::Paused);
        const std::int64_t paused = training.record().step;
        QTest::keyClick(fixture.window.get(), Qt::Key_F10);
        QTRY_COMPARE(training.record().step, paused + 1);
        QTRY_VERIFY(fixture.upperChart().curves.size() > 0);
        QTest::keyClick(fixture.window.get(), Qt::Key_F5, Qt::ShiftModifier);
        QTRY_COMPARE(training.state(), TrainingPhase::Stopped);
        QVERIFY(training.record().snapshotOf(paused + 1) >= 0); // saved
        QVERIFY(!fixture.window->windowTitle().contains("(step "));
    }

    void theFirstTaskIsTheInductionTask()
    {
        TrainFixture fixture(m_folder, "first");
        QCOMPARE(fixture.plan().name(), QString("repeat"));
    }

    void aTriedTrainingIsOneUndoStep()
    {
        TrainFixture fixture(m_folder, "tried");
        Session& session = fixture.session;
        ThingsToTry& things = thingsToTryOf(session);
        fixture.window->showPage("overview");
        session.document().replaceText(sampleSentence({}));
        QTRY_VERIFY(things.isPossible(ThingToTry::TrainModel));
        session.document().undoStack().clear();
        things.take(ThingToTry::TrainModel);
        QTRY_VERIFY_WITH_TIMEOUT(fixture.training().record().step >= 2, 60'000);
        QCOMPARE(session.document().undoStack().count(), 1);
        QVERIFY(fixture.page().isVisible());
        QCOMPARE(session.text(), QString("a k 7 q z a k 7 q"));
        QTRY_VERIFY(fixture.training().isFollowed());
        session.document().undoStack().undo();
        QTRY_COMPARE(fixture.training().state(), TrainingPhase::Stopped);
        QTRY_COMPARE(session.model().name, std::string("tiny"));
        QCOMPARE(session.text(), sampleSentence({}));
        QVERIFY(!fixture.training().isFollowed());
    }

    void typingDuringTrainingGetsItsTrace()
    {
        TrainFixture fixture(m_folder, "typing");
        TrainingConfig config = smallTrainingConfig();
        config.steps = 1'000'000;
        fixture.training().start(config, "small", {});
        QTRY_VERIFY_WITH_TIMEOUT(fixture.training().record().step > 20, 60'000);
        for (const char* text : {"a", "ab", "abc", "abcd"}) {
            fixture.session.document().setText(text);
            QTRY_VERIFY(fixture.session.traceA() &&
                        fixture.session.traceA()->tokens().size() ==
                            fixture.session.model().tokenizer->encode(text).size());
        }
        const std::int64_t before = fixture.training().record().step;
        QTRY_VERIFY(fixture.training().record().step > before + 20);
        // The picture is the newest text's, with weights of this run.
        fixture.training().startOrPause();
        QTRY_COMPARE(fixture.training().state(), TrainingPhase::Paused);
        QTRY_VERIFY(fixture.isSettled());
        const TracePtr own = fixture.ownTrace("abcd");
        QCOMPARE(mapDifference(patternOf(*fixture.session.traceA(), {1, 1}), *own, 1, 1), 0.0);
    }

    void theSliderShowsExactlyTheWeightsOfItsMoment()
    {
        TrainFixture fixture(m_folder, "slider");
        QVERIFY(fixture.trainTo(40));
        Training& training = fixture.training();
        fixture.page().escape();
        QTRY_VERIFY(fixture.isSettled());
        fixture.session.view().activateHead(1, 1);
        fixture.session.view().selectPair(3, 2);
        fixture.session.document().setMask({MaskChange::Kind::None, 4, {}, 0});
        const Selection selection = fixture.session.selection();
        const int undoable = fixture.session.document().undoStack().count();
        for (const std::int64_t step : {0, 8, 40, 1}) {
            training.showSnapshot(step);
            QTRY_VERIFY(fixture.shows(step));
            const LoadedModel file = loadCheckpoint(training.record().snapshotPath(step));
            QVERIFY(isSame(*fixture.session.model().model, *file.model));
        }
        const LoadedModel file = loadCheckpoint(training.record().snapshotPath(1));
        Tracer tracer(file, std::make_unique<CpuAttention>());
        const TracePtr own = tracer.trace(
            file.tokenizer->encode(fixture.session.text().toStdString()), TraceRequest::forViews());
        QCOMPARE(mapDifference(patternOf(*fixture.session.traceA(), {1, 0}), *own, 1, 0), 0.0);
        QVERIFY(fixture.session.selection() == selection);
        QCOMPARE(fixture.session.document().undoStack().count(), undoable);
        QCOMPARE(fixture.session.changes().mask.kind, MaskChange::Kind::None);
        QCOMPARE(fixture.window->page(), QString("train"));
    }

    void theTimelineStepsThroughMoments()
    {
        TrainFixture fixture(m_folder, "timeline");
        QVERIFY(fixture.trainTo(20));
        Training& training = fixture.training();
        TimelineWidget& timeline = fixture.timeline();
        QTRY_COMPARE(timeline.content().snapshots.size(), training.record().snapshots.size());
        const auto count = timeline.content().snapshots.size();
        QTest::keyClick(&timeline, Qt::Key_Home);
        QCOMPARE(training.shownStep(), std::optional<std::int64_t>(0));
        QTest::keyClick(&timeline, Qt::Key_Right);
        QTRY_COMPARE(timeline.content().shown, std::optional(1));
        QTest::keyClick(&timeline, Qt::Key_P);
        QTRY_VERIFY(timeline.content().snapshots[1].pinned);
        QSignalSpy weights(&fixture.session, &Session::weightsChanged);
        QTest::keyClick(&timeline, Qt::Key_Space); // plays up to what is live
        QTRY_VERIFY(!training.shownStep());
        QVERIFY(!training.isPlaying());
        QTRY_VERIFY(weights.size() >= static_cast<int>(count) - 2);
    }

    void settingsChangeWithoutAResetAndAreMarked()
    {
        TrainFixture fixture(m_folder, "settings");
        QVERIFY(fixture.trainTo(5));
        Training& training = fixture.training();
        training.setSteps(50);
        QTRY_COMPARE(training.state(), TrainingPhase::Paused);
        const auto& settings = childOf<TrainSettings>(fixture.page());
        QLineEdit* rate = settings.findChildren<QLineEdit*>().first();
        QTRY_VERIFY(rate->isEnabled());
        rate->selectAll();
        QTest::keyClicks(rate, "0.0005");
        QTest::keyClick(rate, Qt::Key_Return);
        QTRY_COMPARE(training.record().settings.learningRate, 0.0005);
        training.step();
        QTRY_COMPARE(training.record().step, std::int64_t(6));
        QCOMPARE(training.record().learningRate.back().y(), 0.0005);
        const auto& marks = fixture.upperChart().marks;
        QTRY_VERIFY(!marks.empty());
        QVERIFY2(marks.back().text.contains("0.0005"), qPrintable(marks.back().text));
    }

    void twoMomentsAreComparedAsAAndB()
    {
        TrainFixture fixture(m_folder, "compared");
        QVERIFY(fixture.trainTo(20));
        Training& training = fixture.training();
        training.compareWith(0);
        const QString path = QString::fromStdString(training.record().snapshotPath(0).string());
        QCOMPARE(fixture.session.changes().model, path);
        training.followLive();
        QTRY_VERIFY(!fixture.session.computation().isRunning());
        QVERIFY(fixture.session.document().undoStack().canUndo());
        fixture.session.document().undoStack().undo();
        QVERIFY(fixture.session.changes().model.isEmpty());
    }

    void goingOnFromAMomentIsAnotherRun()
    {
        TrainFixture fixture(m_folder, "fork");
        QVERIFY(fixture.trainTo(20));
        Training& training = fixture.training();
        const auto first = training.record();
        training.fork(8);
        QTRY_VERIFY(training.record().folder != first.folder);
        QTRY_COMPARE(training.state(), TrainingPhase::Paused);
        QTRY_COMPARE(training.record().step, std::int64_t(8));
        training.step();
        QTRY_COMPARE(training.record().step, std::int64_t(9));
        QCOMPARE(training.record().loss.back().y(), first.loss[8].y()); // the same step again
    }

    void closingDuringTrainingAsksFirst()
    {
        TrainFixture fixture(m_folder, "closing");
        TrainingConfig config = smallTrainingConfig();
        config.steps = 1'000'000;
        fixture.training().start(config, "small", {});
        QTRY_VERIFY_WITH_TIMEOUT(fixture.training().record().step > 5, 60'000);
        const auto folder = fixture.training().record().folder;
        QVERIFY(!fixture.window->close());
        QVERIFY(fixture.window->isVisible());
        MessageBar& messages = fixture.window->messages();
        QVERIFY(messages.isVisible() && messages.sentence().contains("in training"));
        const auto* focused = qobject_cast<QPushButton*>(fixture.window->focusWidget());
        QVERIFY(focused && focused->text() == "Save and close");
        const auto answer = [&messages](const QString& text) {
            for (QPushButton* button : messages.findChildren<QPushButton*>())
                if (button->text() == text)
                    QTest::mouseClick(button, Qt::LeftButton);
        };
        answer("Keep training");
        QVERIFY(fixture.window->isVisible() && !messages.isVisible());
        QVERIFY(!fixture.window->close());
        answer("Discard and close");
        QVERIFY(!fixture.window->isVisible());
        QTRY_VERIFY(!std::filesystem::exists(folder));
    }

    void aRunOfTheDiskIsShownAgain()
    {
        const auto folder = m_folder.path("elsewhere");
        LiveRun run = LiveRun::create(smallTrainingConfig(), headscope::test::optionsFor(folder));
        headscope::test::train(run, 30);
        TrainFixture fixture(m_folder, "reopened");
        fixture.window->openPath(QString::fromStdString(folder.string()));
        Training& training = fixture.training();
        QTRY_COMPARE(training.record().loss.size(), std::size_t(30));
        QTRY_COMPARE(fixture.window->page(), QString("train"));
        headscope::test::train(run, 60); // another process, as far as the window knows
        QTRY_COMPARE(training.record().step, std::int64_t(60));
        QTRY_VERIFY(fixture.shows(60));
    }

    void thePagesOfRunsLeadToTheirTraining()
    {
        TrainFixture fixture(m_folder, "wiring");
        Training& training = fixture.training();
        auto* form = &headscope::ui::test::partOf<RunFormPage>(*fixture.window);
        emit fixture.page().settingsWanted("copy");
        QCOMPARE(fixture.window->page(), QString("new-run"));
        QCOMPARE(childOf<RunDraft>(*form).config().data.task, TrainingTask::Copy);

        TrainingConfig config = smallTrainingConfig();
        config.steps = 12;
        emit form->startWanted(config, "from-form", {});
        QCOMPARE(fixture.window->page(), QString("train"));
        QTRY_COMPARE_WITH_TIMEOUT(training.state(), TrainingPhase::Done, 60'000);
        const auto first = training.record().folder;

        const auto other = m_folder.path("stopped");
        {
            LiveRun run =
                LiveRun::create(smallTrainingConfig(), headscope::test::optionsFor(other));
            headscope::test::train(run, 10);
            run.save();
        }
        auto* runs = &headscope::ui::test::partOf<RunsPage>(*fixture.window);
        const QString path = QString::fromStdString(other.string());
        fixture.window->showPage("runs");
        emit runs->openWanted(path);
        QCOMPARE(fixture.window->page(), QString("train"));
        QTRY_COMPARE(training.record().folder, other);
        QTRY_COMPARE(training.record().step, std::int64_t(10));
        emit runs->resumeWanted(path);
        QTRY_VERIFY_WITH_TIMEOUT(training.record().step > 10, 60'000);
        training.stop();
        QTRY_COMPARE(training.state(), TrainingPhase::Stopped);
        emit runs->forkWanted(path, 10);
        QTRY_VERIFY_WITH_TIMEOUT(training.record().folder != other && training.isOpen(), 60'000);
        QVERIFY(training.record().folder != first);
        QTRY_VERIFY(training.record().snapshotOf(10) >= 0);
    }

    /// As from the keyboard: on the list of runs, then on the timeline.
    void theFocusFollowsToTheRun()
    {
        TrainFixture fixture(m_folder, "focus");
        MainWindow& window = *fixture.window;
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto folder = m_folder.path("focused");
        {
            LiveRun run =
                LiveRun::create(smallTrainingConfig(), headscope::test::optionsFor(folder));
            headscope::test::train(run, 10);
            run.save();
        }
        const QString path = QString::fromStdString(folder.string());
        auto& experiments = headscope::ui::test::partOf<ExperimentsPage>(window);
        auto& runs = headscope::ui::test::partOf<RunsPage>(window);
        window.showPage("experiments");
        experiments.focusMain();
        emit experiments.runWanted(path);
        QCOMPARE(window.page(), QString("runs"));
        QVERIFY(runs.isAncestorOf(QApplication::focusWidget()));
        QCOMPARE(QApplication::focusWidget()->accessibleName(), QString("Runs"));
        emit runs.openWanted(path);
        QCOMPARE(window.page(), QString("train"));
        QTRY_COMPARE(fixture.training().record().step, std::int64_t(10));
        QTRY_COMPARE(QApplication::focusWidget(), &fixture.timeline());
    }

    void theRunBecomesAFilmAndNumbers()
    {
        TrainFixture fixture(m_folder, "film");
        QVERIFY(fixture.trainTo(8));
        QTRY_VERIFY(fixture.isSettled());
        const auto frames = m_folder.path("frames");
        QSignalSpy finished(&childOf<TrainFilm>(fixture.page()), &TrainFilm::finished);
        fixture.page().exportFilmTo(QString::fromStdString(frames.string()));
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 60'000);
        const auto count = fixture.training().record().snapshots.size();
        QCOMPARE(finished.front()[1].toInt(), static_cast<int>(count));
        const QImage first(QString::fromStdString((frames / "frame-0001.png").string()));
        const QImage last(QString::fromStdString(
            (frames /
             QStringLiteral("frame-%1.png").arg(count, 4, 10, QLatin1Char('0')).toStdString())
                .string()));
        QVERIFY(!first.isNull() && !last.isNull());
        QVERIFY(first != last);
        const Figure figure = fixture.page().figure();
        QCOMPARE(figure.numbers.front().rows.size(), 8);
        QCOMPARE(double{figure.numbers.front().values.at({7, 0})},
                 double{static_cast<float>(fixture.training().record().loss.back().y())});
    }
};

HEADSCOPE_WINDOW_TEST(TstTraining)
#include "tst_training.moc"
