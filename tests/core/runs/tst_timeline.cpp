#include "core/train/files/run_directory.h"
#include "tests/core/runs/small_run.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <set>

using namespace headscope;
using namespace headscope::test;

namespace fs = std::filesystem;

namespace {

std::vector<std::int64_t> stepsOf(const Timeline& timeline)
{
    std::vector<std::int64_t> steps;
    for (const SnapshotRecord& snapshot : timeline.snapshots())
        steps.push_back(snapshot.step);
    return steps;
}

std::vector<std::int64_t> exactStepsOf(const Timeline& timeline)
{
    std::vector<std::int64_t> steps;
    for (const SnapshotRecord& snapshot : timeline.snapshots()) {
        if (snapshot.isExact)
            steps.push_back(snapshot.step);
    }
    return steps;
}

std::uint64_t bytesIn(const fs::path& run)
{
    std::uint64_t bytes = 0;
    for (const auto& entry : fs::directory_iterator(run / "checkpoints")) {
        if (entry.path().extension() == ".safetensors")
            bytes += entry.file_size();
    }
    return bytes;
}

} // namespace

class TstTimeline : public QObject
{
    Q_OBJECT

private:
    Folder m_folder;

    fs::path path(const char* name) const { return m_folder.path(name); }

    /// A run's folder with files of 100 bytes of weights and 200 of the optimizer's state.
    Timeline made(const char* name, const std::vector<std::int64_t>& steps)
    {
        const RunDirectory run = RunDirectory::create(path(name), {{"steps", 1}});
        for (const std::int64_t step : steps) {
            std::ofstream(run.checkpointPath(step)) << std::string(100, 'w');
            std::ofstream(run.optimizerPath(step)) << std::string(200, 'm');
        }
        return Timeline(path(name));
    }

private slots:

    void snapshotsAreDenseAtTheStartAndEvenLater()
    {
        std::vector<std::int64_t> due;
        for (std::int64_t step = 0; step <= 120; ++step) {
            if (isSnapshotDue(step, 20))
                due.push_back(step);
        }
        QCOMPARE(due, (std::vector<std::int64_t>{0, 1, 2, 4, 8, 16, 20, 40, 60, 80, 100, 120}));
    }

    void whatFitsIsKept()
    {
        Timeline timeline = made("fits", {0, 10, 20});
        QCOMPARE(timeline.bytes(), std::uint64_t(900));
        timeline.thin({900, 0});
        QCOMPARE(exactStepsOf(timeline), (std::vector<std::int64_t>{0, 10, 20}));
    }

    void optimizerStatesGoFirstAndTheCrowdedOnesFirstOfAll()
    {
        Timeline timeline = made("states", {0, 10, 20, 25, 40});
        timeline.thin({1100, 0}); // 1500 - 2 * 200
        QCOMPARE(stepsOf(timeline), (std::vector<std::int64_t>{0, 10, 20, 25, 40}));
        QCOMPARE(exactStepsOf(timeline).size(), std::size_t(3));
        QVERIFY(exactStepsOf(timeline).back() == 40);
        timeline.thin({700, 0});
        QCOMPARE(stepsOf(timeline).size(), std::size_t(5));
        QCOMPARE(exactStepsOf(timeline), (std::vector<std::int64_t>{40}));
        QVERIFY(bytesIn(path("states")) == 700 && timeline.bytes() == 700);
    }

    void thinnedSnapshotsStayEven()
    {
        std::vector<std::int64_t> steps;
        for (std::int64_t step = 0; step <= 1000; step += 10)
            steps.push_back(step);
        Timeline timeline = made("even", steps);
        timeline.thin({26 * 100 + 200, 0});
        const std::vector<std::int64_t> kept = stepsOf(timeline);
        QCOMPARE(kept.size(), std::size_t(26));
        QCOMPARE(kept.front(), std::int64_t(0));
        QCOMPARE(kept.back(), std::int64_t(1000));
        for (std::size_t i = 1; i < kept.size(); ++i)
            QVERIFY(kept[i] - kept[i - 1] <= 80);
    }

    void pinnedAskedForFirstAndNewestAreKeptWhateverTheBudget()
    {
        std::vector<std::int64_t> steps;
        for (std::int64_t step = 0; step <= 100; step += 5)
            steps.push_back(step);
        Timeline timeline = made("pinned", steps);
        timeline.setPinned(35, true);
        timeline.setPinned(55, true);
        timeline.setPinned(55, false);
        timeline.thin({0, 50});
        QCOMPARE(stepsOf(timeline), (std::vector<std::int64_t>{0, 35, 50, 100}));
        QCOMPARE(exactStepsOf(timeline), (std::vector<std::int64_t>{35, 100}));
        QVERIFY(timeline.at(35)->isPinned && !timeline.at(50)->isPinned);
        QVERIFY(!problemOf([&] { timeline.setPinned(36, true); }).empty());
    }

    void aMomentIsTheNewestAtOrBefore()
    {
        const Timeline timeline = made("at", {3, 7});
        QVERIFY(timeline.at(2) == nullptr);
        QCOMPARE(timeline.at(3)->step, std::int64_t(3));
        QCOMPARE(timeline.at(6)->step, std::int64_t(3));
        QCOMPARE(timeline.at(900)->step, std::int64_t(7));
    }

    void aRunStaysWithinItsBudgetAndLoadsWhatItKept()
    {
        std::uint64_t one = 0;
        {
            LiveRun run = LiveRun::create(smallTrainingConfig(), optionsFor(path("one")));
            one = run.timeline().bytes();
        }
        TrainingConfig config = smallTrainingConfig();
        config.steps = 400;
        LiveRunOptions options = optionsFor(path("budget"));
        options.timelineBudget = 5 * one;
        LiveRun run = LiveRun::create(config, options);
        std::set<std::int64_t> seen;
        while (!run.isDone()) {
            run.step();
            QVERIFY(bytesIn(path("budget")) <= options.timelineBudget);
            QCOMPARE(run.timeline().bytes(), bytesIn(path("budget")));
            if (run.stepsDone() == 45)
                run.pin(40);
        }
        const std::vector<std::int64_t> kept = stepsOf(run.timeline());
        QVERIFY(kept.size() >= 8);
        QVERIFY(run.timeline().at(40)->isPinned && run.timeline().at(40)->isExact);
        QVERIFY(run.timeline().at(400)->isExact);
        for (const std::int64_t step : kept)
            QVERIFY(run.timeline().load(step)->parameters().parameterCount() > 0);
        QCOMPARE(run.events().front().kind, RunEvent::Kind::Pinned);
    }

    void weightsOfAMomentAreExactlyThoseOfThatStep()
    {
        LiveRun run = LiveRun::create(smallTrainingConfig(), optionsFor(path("exact")));
        std::vector<std::shared_ptr<const Model>> models{run.model()};
        while (!run.isDone()) {
            run.step();
            models.push_back(run.model());
        }
        const Timeline timeline(path("exact"));
        for (const SnapshotRecord& snapshot : timeline.snapshots())
            QVERIFY(std::ranges::equal(
                timeline.load(snapshot.step)->parameters().values(),
                models[static_cast<std::size_t>(snapshot.step)]->parameters().values()));
        QVERIFY(!problemOf([&] { timeline.load(3); }).empty());
    }

    void aPinOfAnotherReaderIsSeenByTheRunThatWrites()
    {
        LiveRunOptions options = optionsFor(path("shared"));
        options.timelineBudget = 1;
        LiveRun run = LiveRun::create(smallTrainingConfig(), options);
        train(run, 12);
        Timeline reader(path("shared"));
        reader.setPinned(10, true);
        train(run, 60);
        reader.refresh();
        QCOMPARE(stepsOf(reader), (std::vector<std::int64_t>{0, 10, 60}));
    }

    void noRunIsRefused()
    {
        QVERIFY(!problemOf([&] { Timeline(path("nowhere")); }).empty());
    }
};

HEADSCOPE_TEST(TstTimeline)
#include "tst_timeline.moc"
