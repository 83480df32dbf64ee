#include "core/base/file_fault.h"
#include "core/base/random.h"
#include "core/io/checkpoint.h"
#include "core/train/files/run_directory.h"
#include "tests/core/runs/small_run.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <cerrno>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace fs = std::filesystem;

namespace {

/// All that two equal runs have in common: the weights and moments of the last step, the log and
/// the scores.
std::string differenceBetween(const fs::path& one, const fs::path& other, std::int64_t step)
{
    if (weightsOf(one, step) != weightsOf(other, step))
        return "weights";
    const std::string optimizer = "checkpoints/optimizer-" + std::to_string(step) + ".safetensors";
    if (textOf(one / optimizer) != textOf(other / optimizer) || textOf(one / optimizer).empty())
        return "moments";
    if (logOf(one) != logOf(other) || logOf(one).empty())
        return "log";
    if (textOf(one / "scores.jsonl") != textOf(other / "scores.jsonl"))
        return "scores";
    return {};
}

} // namespace

class TstLiveRun : public QObject
{
    Q_OBJECT

private:
    Folder m_folder;

    fs::path path(const char* name) const { return m_folder.path(name); }

    fs::path finished(const char* name, const TrainingConfig& config = smallTrainingConfig())
    {
        LiveRun run = LiveRun::create(config, optionsFor(path(name)));
        train(run, config.steps);
        return path(name);
    }

private slots:

    void aRunLeavesItsConfigurationLogAndSnapshots()
    {
        LiveRun run = LiveRun::create(smallTrainingConfig(), optionsFor(path("whole")));
        std::vector<LivePoint> points;
        while (!run.isDone())
            points.push_back(run.step());
        QCOMPARE(points.size(), std::size_t(60));
        const auto log = readJsonLines(path("whole") / "log.jsonl");
        QCOMPARE(log.size(), points.size());
        for (std::size_t i = 0; i < log.size(); ++i) {
            QCOMPARE(log[i].dump(), nlohmann::json::parse(toJsonLine(points[i].progress)).dump());
            QCOMPARE(log[i]["val_loss"].is_null(), (i + 1) % 20 != 0);
            QCOMPARE(log[i].contains("val_accuracy"), (i + 1) % 20 == 0);
            double square = 0.0;
            for (const auto& [layer, norm] : log[i]["layer_grad_norms"].items())
                square += norm.get<double>() * norm.get<double>();
            const double norm = log[i]["grad_norm"].get<double>();
            QVERIFY(std::abs(std::sqrt(square) - norm) < 1e-4 * norm);
        }
        std::vector<std::int64_t> snapshots;
        for (const SnapshotRecord& snapshot : run.timeline().snapshots()) {
            snapshots.push_back(snapshot.step);
            QVERIFY(snapshot.isExact);
        }
        QCOMPARE(snapshots, (std::vector<std::int64_t>{0, 1, 2, 4, 8, 10, 20, 30, 40, 50, 60}));
        QVERIFY(points[19].isSaved && !points[20].isSaved);
        QCOMPARE(points.back().secondsLeft, 0.0);
        QVERIFY(points[0].secondsLeft > 0.0);
        const auto last = std::ranges::equal(run.timeline().load(60)->parameters().values(),
                                             run.model()->parameters().values());
        QVERIFY(last);
        QCOMPARE(run.headCurves().steps(),
                 snapshots.size() > 1
                     ? std::vector<std::int64_t>(snapshots.begin() + 1, snapshots.end())
                     : snapshots);
    }

    void twoRunsGiveTheSameBitsWhateverIsWatchedAndSaved()
    {
        const fs::path one = finished("one");
        const fs::path two = finished("two");
        QCOMPARE(differenceBetween(one, two, 60), std::string());
        LiveRunOptions bare = optionsFor(path("bare"));
        bare.watchesHeads = false;
        bare.timelineBudget = 0;
        LiveRun run = LiveRun::create(smallTrainingConfig(R"(, "checkpoint_every": 7)"), bare);
        while (!run.isDone()) {
            run.step();
            if (run.stepsDone() % 9 == 0)
                run.save();
        }
        const LoadedModel theirs = loadCheckpoint(one / "checkpoints/step-60.safetensors");
        QVERIFY(std::ranges::equal(theirs.model->parameters().values(),
                                   run.model()->parameters().values()));
    }

    void aPausedAndResumedRunEqualsAnUninterruptedOne()
    {
        const fs::path whole = finished("uninterrupted");
        for (const std::int64_t pause : {0, 1, 17, 40}) {
            const fs::path parts = path(("parts" + std::to_string(pause)).c_str());
            {
                LiveRun run = LiveRun::create(smallTrainingConfig(), optionsFor(parts));
                train(run, pause);
                run.save();
            }
            LiveRun run = LiveRun::resume(optionsFor(parts));
            QCOMPARE(run.stepsDone(), pause);
            train(run, 60);
            QCOMPARE(differenceBetween(whole, parts, 60), std::string());
            QCOMPARE(run.events().front().kind, RunEvent::Kind::Resumed);
        }
    }

    void aRunThatDiedGoesOnFromItsNewestSnapshot()
    {
        const fs::path whole = finished("survivor");
        const fs::path died = path("died");
        {
            LiveRun run = LiveRun::create(smallTrainingConfig(), optionsFor(died));
            train(run, 37); // the newest snapshot is of step 30
        }
        std::ofstream(died / "log.jsonl", std::ios::app) << "{\"step\":38,\"lo";
        std::ofstream(died / "checkpoints/.headscope-1-0.tmp") << "half a file";
        fs::copy_file(whole / "checkpoints/step-50.safetensors",
                      died / "checkpoints/step-50.safetensors"); // no optimizer state for it
        LiveRun run = LiveRun::resume(optionsFor(died));
        QCOMPARE(run.stepsDone(), std::int64_t(30));
        QVERIFY(!fs::exists(died / "checkpoints/.headscope-1-0.tmp"));
        QVERIFY(!fs::exists(died / "checkpoints/step-50.safetensors"));
        QCOMPARE(logOf(died).size(), std::size_t(30));
        train(run, 60);
        QCOMPARE(differenceBetween(whole, died, 60), std::string());
    }

    void aSnapshotThatAPowerCutDamagedIsPassedOver()
    {
        const fs::path whole = finished("powered");
        const fs::path cut = path("cut");
        {
            LiveRun run = LiveRun::create(smallTrainingConfig(), optionsFor(cut));
            train(run, 33);
        }
        fs::resize_file(cut / "checkpoints/optimizer-30.safetensors", 0);
        fs::resize_file(cut / "checkpoints/step-20.safetensors", 900);
        LiveRun run = LiveRun::resume(optionsFor(cut));
        QCOMPARE(run.stepsDone(), std::int64_t(10));
        train(run, 60);
        QCOMPARE(differenceBetween(whole, cut, 60), std::string());
    }

    void aRunOfAnOlderVersionWithFewerKeysGoesOn()
    {
        const fs::path folder = path("older");
        {
            LiveRun run = LiveRun::create(smallTrainingConfig(), optionsFor(folder));
            train(run, 20);
        }
        nlohmann::json config = nlohmann::json::parse(textOf(folder / "config.json"));
        config.erase("accumulate");
        config["data"].erase("validation_share");
        std::ofstream(folder / "config.json") << config.dump();
        fs::remove(folder / "run.json");
        QCOMPARE(LiveRun::resume(optionsFor(folder), smallTrainingConfig()).stepsDone(),
                 std::int64_t(20));
        TrainingConfig other = smallTrainingConfig();
        other.seed = 4;
        const std::string problem = problemOf([&] { LiveRun::resume(optionsFor(folder), other); });
        QVERIFY2(problem.find("another \"") != std::string::npos, problem.c_str());
    }

    void changedSettingsActFromTheNextStepAndComeAgainAfterAResume()
    {
        const auto steer = [](LiveRun& run) {
            train(run, 15);
            LiveSettings settings = run.settings();
            settings.learningRate = 0.01;
            settings.batchSize = 6;
            run.change(settings);
            train(run, 25);
            settings.batchSize = 3;
            settings.dropout = 0.2;
            settings.logEvery = 5;
            run.change(settings);
        };
        LiveRun whole = LiveRun::create(smallTrainingConfig(), optionsFor(path("steered")));
        steer(whole);
        const LivePoint point = whole.step();
        QCOMPARE(point.events.size(), std::size_t(1));
        QVERIFY2(point.events[0].text ==
                     "batch 6 -> 3, dropout 0 -> 0.2, steps between lines 1 -> 5",
                 point.events[0].text.c_str());
        QCOMPARE(point.progress.report.tokens, std::int64_t(3 * 32));
        QCOMPARE(point.progress.report.learningRate, 0.01);
        train(whole, 60);
        {
            LiveRun died = LiveRun::create(smallTrainingConfig(), optionsFor(path("steered-died")));
            steer(died);
            train(died, 28); // the newest snapshot is of step 20, between the changes
        }
        LiveRun again = LiveRun::resume(optionsFor(path("steered-died")));
        QCOMPARE(again.stepsDone(), std::int64_t(20));
        QCOMPARE(again.settings().batchSize, std::int64_t(6));
        train(again, 60);
        QCOMPARE(again.settings(), whole.settings());
        QCOMPARE(differenceBetween(path("steered"), path("steered-died"), 60), std::string());
        const fs::path plain = finished("unsteered");
        QVERIFY(weightsOf(plain, 60) != weightsOf(path("steered"), 60));
        QCOMPARE(logOf(plain)[14], logOf(path("steered"))[14]);
        QVERIFY(logOf(plain)[15] != logOf(path("steered"))[15]);
    }

    void aNewChangeTakesThePlaceOfThoseToCome()
    {
        const fs::path folder = path("replanned");
        LiveSettings settings;
        {
            LiveRun run = LiveRun::create(smallTrainingConfig(), optionsFor(folder));
            train(run, 25);
            settings = run.settings();
            settings.learningRate = 0.5;
            run.change(settings);
        }
        {
            LiveRun run = LiveRun::resume(optionsFor(folder));
            QCOMPARE(run.stepsDone(), std::int64_t(20));
            settings.learningRate = 0.001;
            run.change(settings);
            train(run, 40);
            QCOMPARE(run.settings().learningRate, 0.001);
        }
        LiveRun run = LiveRun::resume(optionsFor(folder));
        QCOMPARE(run.settings().learningRate, 0.001);
    }

    void settingsThatCannotBeAreRefused()
    {
        LiveRun run = LiveRun::create(smallTrainingConfig(), optionsFor(path("refusing")));
        const LiveSettings before = run.settings();
        const auto refused = [&](auto change) {
            LiveSettings settings = before;
            change(settings);
            return problemOf([&] { run.change(settings); });
        };
        QVERIFY(refused([](auto& s) { s.learningRate = 1e9; }).find("from 0 to 1000") !=
                std::string::npos);
        QVERIFY(!refused([](auto& s) { s.learningRate = std::nan(""); }).empty());
        QVERIFY(!refused([](auto& s) { s.batchSize = 0; }).empty());
        QVERIFY(!refused([](auto& s) { s.dropout = 1.0; }).empty());
        QVERIFY(!refused([](auto& s) { s.evalEvery = -1; }).empty());
        QCOMPARE(run.settings(), before);
        QVERIFY(run.events().empty());
    }

    void aForkGoesOnBitForBitFromAnExactMoment()
    {
        const fs::path whole = finished("trunk");
        LiveRun fork = LiveRun::fork(whole, 30, optionsFor(path("branch")));
        QCOMPARE(fork.stepsDone(), std::int64_t(30));
        QVERIFY(fork.isExactFork());
        QCOMPARE(logOf(path("branch")).size(), std::size_t(30));
        train(fork, 60);
        QCOMPARE(differenceBetween(whole, path("branch"), 60), std::string());
        QCOMPARE(fork.events().front().kind, RunEvent::Kind::Forked);
        QCOMPARE(fork.headCurves().steps().front(), std::int64_t(1));
    }

    void aForkSaysThatOnlyWeightsWereLeft()
    {
        const fs::path whole = finished("worn");
        fs::remove(whole / "checkpoints/optimizer-30.safetensors");
        LiveRun fork = LiveRun::fork(whole, 30, optionsFor(path("worn-branch")));
        QVERIFY(!fork.isExactFork());
        QVERIFY(std::ranges::equal(fork.model()->parameters().values(),
                                   Timeline(whole).load(30)->parameters().values()));
        QVERIFY(fork.events().back().text.find("only the weights") != std::string::npos);
        train(fork, 60);
        QVERIFY(std::isfinite(logOf(path("worn-branch")).back()["loss"].get<double>()));
        const std::string problem =
            problemOf([&] { LiveRun::fork(whole, 31, optionsFor(path("none"))); });
        QVERIFY2(problem.find("no snapshot of step 31") != std::string::npos, problem.c_str());
        QVERIFY2(problem.find("step 30") != std::string::npos, problem.c_str());
        QVERIFY(!fs::exists(path("none")));
    }

    void twoWritersAreRefusedAndReadersAreNot()
    {
        LiveRun run = LiveRun::create(smallTrainingConfig(), optionsFor(path("locked")));
        train(run, 5);
        const std::string problem = problemOf([&] { LiveRun::resume(optionsFor(path("locked"))); });
        QVERIFY2(problem.find("is training in this folder") != std::string::npos, problem.c_str());
        QVERIFY2(problem.find(std::to_string(::getpid())) != std::string::npos, problem.c_str());
        QCOMPARE(Timeline(path("locked")).snapshots().back().step, std::int64_t(4));
        train(run, 6);
        LiveRun moved = std::move(run);
        moved.step();
        QVERIFY(!problemOf([&] { LiveRun::resume(optionsFor(path("locked"))); }).empty());
        moved = LiveRun::create(smallTrainingConfig(), optionsFor(path("other")));
        LiveRun::resume(optionsFor(path("locked"))).step();
    }

    void aDivergedRunSaysWhereItBeganAndKeepsTheLastGoodSnapshot_data()
    {
        QTest::addColumn<double>("rate");
        QTest::addColumn<bool>("clips");
        QTest::newRow("explodes") << 30.0 << true;
        QTest::newRow("explodes later") << 3.0 << false;
        QTest::newRow("far too large") << 1000.0 << false;
    }

    void aDivergedRunSaysWhereItBeganAndKeepsTheLastGoodSnapshot()
    {
        QFETCH(double, rate);
        QFETCH(bool, clips);
        const std::string name = QTest::currentDataTag();
        TrainingConfig config = smallTrainingConfig();
        config.steps = 2000;
        config.optimizer.kind = clips ? OptimizerKind::AdamW : OptimizerKind::Sgd;
        if (!clips)
            config.optimizer.clipNorm = std::nullopt;
        LiveRun run = LiveRun::create(config, optionsFor(path(name.c_str())));
        train(run, 12);
        LiveSettings settings = run.settings();
        settings.learningRate = rate;
        run.change(settings);
        try {
            train(run, 2000);
            QFAIL("did not diverge");
        } catch (const DivergedError& error) {
            QVERIFY(error.step() > 12 && error.step() <= run.stepsDone() + 1);
            QVERIFY(error.lastGood() && *error.lastGood() < error.step());
            QVERIFY2(!error.layer().empty(), error.what());
            const std::string reported = error.what();
            QVERIFY2(reported.find("diverged") != std::string::npos, reported.c_str());
            QVERIFY2(reported.find(error.layer()) != std::string::npos, reported.c_str());
            const auto good = Timeline(run.folder()).load(*error.lastGood());
            QVERIFY(std::ranges::all_of(good->parameters().values(),
                                        [](float value) { return std::abs(value) < 100.0F; }));
            QCOMPARE(run.events().back().kind, RunEvent::Kind::Diverged);
            QCOMPARE(readJsonLines(run.folder() / "events.jsonl").back()["event"], "diverged");
            LiveRun fork = LiveRun::fork(run.folder(), *error.lastGood(),
                                         optionsFor(path((name + " again").c_str())));
            settings.learningRate = 0.001;
            fork.change(settings);
            train(fork, fork.stepsDone() + 20);
            QVERIFY(std::isfinite(logOf(fork.folder()).back()["loss"].get<double>()));
        }
    }

    void aFullDiskAtAnyPointLeavesARunThatGoesOn()
    {
        const fs::path whole = finished("roomy");
        Random random(7);
        int failures = 0;
        for (int round = 0; round < 12; ++round) {
            const fs::path folder = path(("full" + std::to_string(round)).c_str());
            LiveRun run = LiveRun::create(smallTrainingConfig(), optionsFor(folder));
            train(run, static_cast<std::int64_t>(random.below(30)));
            std::uint64_t left = random.below(40); // calls that still succeed
            {
                const ScopedFileFault fault(
                    [&](std::string_view) { return left == 0 ? ENOSPC : (--left, 0); });
                if (!problemOf([&] { train(run, 60); }).empty())
                    ++failures;
            }
            const Timeline timeline(folder);
            for (const SnapshotRecord& snapshot : timeline.snapshots())
                QVERIFY(timeline.load(snapshot.step) != nullptr);
            if (round % 2 == 0) { // the same process goes on when there is room again
                run.save();
                train(run, 60);
                run.save();
            } else {
                {
                    const LiveRun ended = std::move(run);
                }
                LiveRun again = LiveRun::resume(optionsFor(folder));
                train(again, 60);
            }
            QCOMPARE(differenceBetween(whole, folder, 60), std::string());
        }
        QVERIFY(failures > 6);
    }

    void damagedRunsAreRefusedWithASentence_data()
    {
        QTest::addColumn<QString>("damage");
        QTest::addColumn<QString>("reported");
        const auto row = [](const char* damage, const char* reported) {
            QTest::newRow(damage) << damage << reported;
        };
        row("no config", "not a training run");
        row("no checkpoints", "not a training run");
        row("newer version", "version 2");
        row("no card format", "not the card of a training run");
        row("config of another kind", "d_modell");
        row("no optimizer", "none with the optimizer state");
        row("truncated weights", "step-20");
        row("a different vocabulary", "a different vocabulary");
        row("events that are none", "event");
    }

    void damagedRunsAreRefusedWithASentence()
    {
        QFETCH(QString, damage);
        QFETCH(QString, reported);
        const std::string name = "damaged " + damage.toStdString();
        const fs::path folder = path(name.c_str());
        {
            LiveRun run = LiveRun::create(smallTrainingConfig(), optionsFor(folder));
            train(run, 22);
        }
        const fs::path checkpoints = folder / "checkpoints";
        if (damage == "no config")
            fs::remove(folder / "config.json");
        if (damage == "no checkpoints")
            fs::remove_all(checkpoints);
        if (damage == "newer version")
            std::ofstream(folder / "run.json") << R"({"format": "headscope-run", "version": 2})";
        if (damage == "no card format")
            std::ofstream(folder / "run.json") << R"({"version": 1})";
        if (damage == "config of another kind")
            std::ofstream(folder / "config.json") << R"({"model": {"d_modell": 3}})";
        if (damage == "no optimizer")
            for (const std::int64_t step : {0, 1, 2, 4, 8, 10, 20})
                fs::remove(checkpoints / ("optimizer-" + std::to_string(step) + ".safetensors"));
        if (damage == "truncated weights")
            for (const std::int64_t step : {0, 1, 2, 4, 8, 10, 20})
                fs::resize_file(checkpoints / ("step-" + std::to_string(step) + ".safetensors"),
                                3000);
        if (damage == "a different vocabulary")
            std::ofstream(checkpoints / "tokenizer.json") << "{}";
        if (damage == "events that are none")
            std::ofstream(folder / "events.jsonl") << "{\"step\": 3, \"event\": \"wedding\"}\n";
        const std::string problem = problemOf([&] { LiveRun::resume(optionsFor(folder)); });
        QVERIFY2(problem.find(reported.toStdString()) != std::string::npos, problem.c_str());
        QVERIFY2(problem.find('\n') == std::string::npos, problem.c_str());
    }

    void unusableDataAreRefusedAndLeaveNothing_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("reported");
        QByteArray words;
        for (int i = 0; i < 400; ++i)
            words += "word" + QByteArray::number(i * 7919 % 1000) + " and more of it.\n";
        QTest::newRow("too short") << QByteArray("hello") << ""
                                   << "documents";
        QTest::newRow("empty") << QByteArray("") << ""
                               << "empty";
        QTest::newRow("one repeated byte") << QByteArray(20'000, 'a') << ""
                                           << "consists only of";
        QTest::newRow("binary") << QByteArray("\x7f"
                                              "ELF\0\0\xff\xfe\n\0\x80\x81\n",
                                              13)
                                << ""
                                << "UTF-8";
        QTest::newRow("smaller vocabulary than the tokenizer's") << words << R"(, "vocab_size": 12)"
                                                                 << "vocab_size";
    }

    void unusableDataAreRefusedAndLeaveNothing()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, model);
        QFETCH(QString, reported);
        const fs::path file = path("text.txt");
        std::ofstream(file, std::ios::binary) << text.toStdString();
        const std::string problem = problemOf([&] {
            const TrainingConfig config = parseTrainingConfig(
                R"({"model": {"d_model": 16, "n_layers": 1, "n_heads": 2, "max_len": 32)" +
                    model.toStdString() + R"(}, "data": {"text": ")" + file.string() +
                    R"(", "vocab_size": 300}, "batch_size": 4, "steps": 3})",
                "test");
            LiveRun::create(config, optionsFor(path("unusable"))).step();
        });
        QVERIFY2(problem.find(reported.toStdString()) != std::string::npos, problem.c_str());
        QVERIFY2(problem.find('\n') == std::string::npos, problem.c_str());
        QVERIFY(!fs::exists(path("unusable")));
    }

    void aFolderThatHoldsAnythingIsRefused()
    {
        fs::create_directories(path("full"));
        std::ofstream(path("full") / "letter.txt") << "mine";
        QVERIFY(!problemOf([&] {
                     LiveRun::create(smallTrainingConfig(), optionsFor(path("full")));
                 }).empty());
        QVERIFY(!fs::exists(path("full") / "run.lock"));
    }
};

HEADSCOPE_TEST(TstLiveRun)
#include "tst_live_run.moc"
