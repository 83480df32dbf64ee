#include "core/runs/run_library.h"
#include "tests/core/runs/small_run.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace fs = std::filesystem;

using State = RunSummary::State;

class TstRunLibrary : public QObject
{
    Q_OBJECT

private:
    Folder m_folder;

    fs::path path(const std::string& name) const { return m_folder.path("runs/" + name); }

    RunLibrary library() const { return RunLibrary(m_folder.path("runs")); }

    void makeRun(const char* name, std::int64_t steps, const std::string& more = {})
    {
        LiveRun run = LiveRun::create(smallTrainingConfig(more), optionsFor(path(name)));
        train(run, steps);
        run.save();
    }

    std::vector<std::string> namesAndStates() const
    {
        std::vector<std::string> result;
        for (const RunSummary& run : library().runs())
            result.push_back(run.name + " " + nameOf(run.state));
        return result;
    }

private slots:

    void init()
    {
        fs::remove_all(m_folder.path("runs"));
        fs::create_directories(m_folder.path("runs"));
    }

    void runsAreListedWithTheirState()
    {
        QVERIFY(library().runs().empty());
        makeRun("b-finished", 60);
        makeRun("a-stopped", 25);
        LiveRun running = LiveRun::create(smallTrainingConfig(), optionsFor(path("c-running")));
        fs::create_directories(path("letters"));
        std::ofstream(path("letters") / "letter.txt") << "mine";
        fs::create_directories(path("d-half") / "checkpoints");
        QCOMPARE(namesAndStates(),
                 (std::vector<std::string>{"a-stopped stopped", "b-finished finished",
                                           "c-running running", "d-half damaged"}));
        const auto runs = library().runs();
        const auto log = readJsonLines(path("b-finished") / "log.jsonl");
        QCOMPARE(*runs[1].loss, log.back()["loss"].get<double>());
        QCOMPARE(*runs[1].validationLoss, log.back()["val_loss"].get<double>());
        QCOMPARE(*runs[1].validationAccuracy, log.back()["val_accuracy"].get<double>());
        QCOMPARE(runs[0].step, std::int64_t(25));
        QCOMPARE(*runs[0].validationLoss, log[19]["val_loss"].get<double>());
        QCOMPARE(runs[1].seed, std::uint64_t(3));
        QCOMPARE(runs[1].steps, std::int64_t(60));
        QCOMPARE(runs[1].device, std::string("cpu"));
        QVERIFY(runs[1].started.ends_with("Z"));
        QVERIFY2(runs[3].problem.find("not a training run") != std::string::npos,
                 runs[3].problem.c_str());
        running.step();
        QCOMPARE(RunLibrary::summary(path("c-running")).step, std::int64_t(1));
    }

    void damageIsSaidInOneSentence()
    {
        makeRun("newer", 5);
        std::ofstream(path("newer") / "run.json") << R"({"format": "headscope-run", "version": 7})";
        QVERIFY(RunLibrary::summary(path("newer")).problem.find("version 7") != std::string::npos);
        makeRun("emptied", 5);
        for (const auto& entry : fs::directory_iterator(path("emptied") / "checkpoints"))
            if (entry.path().extension() == ".safetensors")
                fs::remove(entry.path());
        const RunSummary summary = RunLibrary::summary(path("emptied"));
        QCOMPARE(summary.state, State::Damaged);
        QVERIFY2(summary.problem.find("no snapshot left") != std::string::npos,
                 summary.problem.c_str());
        QCOMPARE(RunLibrary::summary(path("nowhere")).state, State::Damaged);
    }

    void aNewestCheckpointThatWasCutIsSaid()
    {
        makeRun("cut", 60);
        QCOMPARE(RunLibrary::summary(path("cut")).state, State::Finished);
        fs::resize_file(path("cut") / "checkpoints" / "step-60.safetensors", 100);
        const RunSummary summary = RunLibrary::summary(path("cut"));
        QCOMPARE(summary.state, State::Damaged);
        QVERIFY2(summary.problem.find("the newest checkpoint is damaged") != std::string::npos &&
                     summary.problem.find("step-60.safetensors") != std::string::npos &&
                     summary.problem.find("to resume from step") != std::string::npos,
                 summary.problem.c_str());
        fs::remove(path("cut") / "checkpoints" / "step-60.safetensors"); // as it advises
        QCOMPARE(RunLibrary::summary(path("cut")).state, State::Stopped);
        {
            LiveRun run = LiveRun::resume(optionsFor(path("cut")));
            train(run, 60);
        }
        QCOMPARE(RunLibrary::summary(path("cut")).state, State::Finished);
        fs::resize_file(path("cut") / "checkpoints" / "optimizer-60.safetensors", 100);
        QCOMPARE(RunLibrary::summary(path("cut")).state, State::Damaged);
    }

    void aDivergedRunIsListedAsSuchUntilItGoesOn()
    {
        TrainingConfig config = smallTrainingConfig();
        config.optimizer.learningRate = 1000.0;
        config.optimizer.kind = OptimizerKind::Sgd;
        config.optimizer.clipNorm = std::nullopt;
        {
            LiveRun run = LiveRun::create(config, optionsFor(path("wild")));
            QVERIFY(!problemOf([&] { train(run, 60); }).empty());
        }
        QCOMPARE(RunLibrary::summary(path("wild")).state, State::Diverged);
    }

    void forksKnowTheirOrigin()
    {
        makeRun("trunk", 60);
        QVERIFY(!RunLibrary::summary(path("trunk")).origin);
        {
            LiveRun::fork(path("trunk"), 30, optionsFor(path("branch"))).step();
        }
        const RunSummary branch = RunLibrary::summary(path("branch"));
        QVERIFY(branch.origin == (RunOrigin{path("trunk").string(), 30, true}));
        QCOMPARE(branch.step, std::int64_t(31));
    }

    void curvesAreReadWhileARunWritesThem()
    {
        LiveRun run = LiveRun::create(smallTrainingConfig(), optionsFor(path("live")));
        train(run, 21);
        LiveSettings settings = run.settings();
        settings.learningRate = 0.001;
        run.change(settings);
        std::ofstream(path("live") / "log.jsonl", std::ios::app) << "{\"step\": 22, \"los";
        const RunCurves curves = RunCurves::read(path("live"));
        QCOMPARE(curves.lines.size(), std::size_t(21));
        QCOMPARE(curves.lines[19].step, std::int64_t(20));
        QVERIFY(std::isfinite(curves.lines[19].validationLoss));
        QVERIFY(std::isnan(curves.lines[18].validationLoss));
        QCOMPARE(curves.lines[5].perplexity, std::exp(curves.lines[5].loss));
        QCOMPARE(curves.lines[5].layerNorms.size(), std::size_t(4));
        QCOMPARE(curves.events.size(), std::size_t(1));
        QVERIFY(curves.events[0] == run.events()[0]);
        const HeadCurves heads = HeadCurves::read(path("live"));
        QCOMPARE(heads.steps(), run.headCurves().steps());
        const HeadId place{AttentionKind::Self, 1, 1};
        QCOMPARE(heads.curve("induction", place), run.headCurves().curve("induction", place));
    }

    void configurationsAreComparedKeyByKey()
    {
        const auto differences = compareConfigs(
            {{"seed", 1}, {"model", {{"d_model", 16}, {"norm", "pre"}}}, {"data", {{"text", "a"}}}},
            {{"seed", 1}, {"model", {{"d_model", 32}, {"norm", "pre"}}}, {"steps", 5}});
        QCOMPARE(differences.size(), std::size_t(3));
        QCOMPARE(differences[0].key, std::string("data.text"));
        QCOMPARE(differences[0].first, std::string("a"));
        QCOMPARE(differences[0].second, std::string());
        QCOMPARE(differences[1].key, std::string("model.d_model"));
        QCOMPARE(differences[1].second, std::string("32"));
        QCOMPARE(differences[2].key, std::string("steps"));
        QVERIFY(
            compareConfigs(toJson(smallTrainingConfig()), toJson(smallTrainingConfig())).empty());
    }

    void notesAreKept()
    {
        makeRun("noted", 3);
        RunLibrary::setNotes(path("noted"), "the jump came late\n");
        QCOMPARE(RunLibrary::summary(path("noted")).notes, std::string("the jump came late\n"));
        RunLibrary::setNotes(path("noted"), "");
        QCOMPARE(RunLibrary::summary(path("noted")).notes, std::string());
    }

    void deletingIsUndone()
    {
        makeRun("gone", 3);
        const std::string weights = weightsOf(path("gone"), 3);
        const fs::path trashed = library().remove(path("gone"));
        QVERIFY(!fs::exists(path("gone")) && fs::exists(trashed));
        QVERIFY(library().runs().empty());
        makeRun("gone", 4);
        QVERIFY(!problemOf([&] { library().restore(trashed); }).empty());
        const fs::path second = library().remove(path("gone"));
        QVERIFY(second != trashed);
        QCOMPARE(library().restore(trashed), path("gone"));
        QCOMPARE(weightsOf(path("gone"), 3), weights);
        QCOMPARE(library().runs().size(), std::size_t(1));
        LiveRun running = LiveRun::resume(optionsFor(path("gone")));
        const std::string problem = problemOf([&] { library().remove(path("gone")); });
        QVERIFY2(problem.find("Stop it first") != std::string::npos, problem.c_str());
    }

    void freshNamesAreFree()
    {
        QCOMPARE(library().freshPath("new"), path("new"));
        makeRun("new", 1);
        QCOMPARE(library().freshPath("new"), path("new-2"));
    }
};

HEADSCOPE_TEST(TstRunLibrary)
#include "tst_run_library.moc"
