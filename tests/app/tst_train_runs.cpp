// links: core/runs
#include "core/attention/cpu_attention.h"
#include "core/base/atomic_write.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/runs/json_lines.h"
#include "core/runs/live_run.h"
#include "core/runs/run_library.h"
#include "tests/app/run_headscope.h"
#include "tests/support/test_program.h"

#include <QRandomGenerator>
#include <QTemporaryDir>

#include <csignal>
#include <thread>

using namespace headscope;
using test::Outcome;
using test::runHeadscope;

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kSteps = 12'000;

const char* const kConfig = R"({"model": {"d_model": 16, "n_layers": 2, "n_heads": 2, "d_ff": 32,
  "max_len": 32}, "data": {"task": "repeat", "validation_batches": 1}, "batch_size": 4,
  "steps": STEPS, "seed": 3, "log_every": 1, "eval_every": 100,
  "checkpoint_every": 40})";

/// The log without what depends on time.
std::vector<nlohmann::json> logOf(const fs::path& run)
{
    auto lines = readJsonLines(run / "log.jsonl");
    for (nlohmann::json& line : lines)
        line.erase("tokens_per_s");
    return lines;
}

} // namespace

class TstTrainRuns : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        writeConfig(kSteps);
    }

    void aRunThatIsKilledFiftyTimesGivesTheSameNumbers()
    {
        HS_DONE(train({"--out", name("whole")}));
        QRandomGenerator random(20);
        int kills = 0;
        for (int attempt = 0; kills < 50; ++attempt) {
            QVERIFY2(attempt < 400, "the run ended before it was killed 50 times");
            kills += isKilled(attempt % 5 > 0, random.bounded(1, 40)) ? 1 : 0;
            if (fs::exists(path("killed") / "config.json"))
                loadNewest(path("killed"), 4);
        }
        loadNewest(path("killed"), 10'000);
        QVERIFY(!logOf(path("killed")).empty()); // how far it came depends on the machine
        HS_DONE(train(arguments("killed")));
        QCOMPARE(bytesOf("killed/checkpoints/step-12000.safetensors"),
                 bytesOf("whole/checkpoints/step-12000.safetensors"));
        QCOMPARE(bytesOf("killed/checkpoints/optimizer-12000.safetensors"),
                 bytesOf("whole/checkpoints/optimizer-12000.safetensors"));
        QCOMPARE(bytesOf("killed/scores.jsonl"), bytesOf("whole/scores.jsonl"));
        QVERIFY(logOf(path("killed")) == logOf(path("whole")));
        QCOMPARE(logOf(path("whole")).size(), std::size_t(kSteps));
    }

    void theWindowsWayOnAThreadOfItsOwnGivesTheNumbersOfTheCommandLine()
    {
        writeConfig(150);
        HS_DONE(train({"--out", name("line")}));
        std::jthread([this] {
            LiveRunOptions options;
            options.folder = path("window");
            options.makeBackend = [] { return std::make_unique<CpuAttention>(); };
            LiveRun run = LiveRun::create(loadTrainingConfig(path("config.json")), options);
            while (!run.isDone()) {
                run.step();
                if (run.stepsDone() == 70) // paused there, and looked at
                    run.save();
            }
        }).join();
        QVERIFY(logOf(path("window")) == logOf(path("line")));
        QCOMPARE(logOf(path("line")).size(), std::size_t(150));
        QCOMPARE(bytesOf("window/checkpoints/step-150.safetensors"),
                 bytesOf("line/checkpoints/step-150.safetensors"));
        QCOMPARE(bytesOf("window/scores.jsonl"), bytesOf("line/scores.jsonl"));
    }

    void aRunIsReadWhileItIsWrittenAndHasOneWriter()
    {
        writeConfig(100'000'000);
        QProcess process;
        process.start(test::executable(), {"train", name("config.json"), "--out", name("live"),
                                           "--device", "cpu", "--json"});
        QVERIFY(process.waitForReadyRead(60'000));
        const RunSummary running = RunLibrary::summary(path("live"));
        QCOMPARE(nameOf(running.state), std::string("running"));
        QVERIFY(running.step >= 1);
        loadNewest(path("live"), 10);
        HS_REFUSED(train({"--out", name("live"), "--resume"}), 1,
                   QByteArray::number(process.processId()));
        process.kill();
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(nameOf(RunLibrary::summary(path("live")).state), std::string("stopped"));
    }

    void runsAreListed()
    {
        writeConfig(120);
        HS_DONE(train({"--out", name("library/b")}));
        HS_DONE(train({"--out", name("library/a"), "--steps", "20"}));
        const Outcome listed = runHeadscope({"runs", name("library"), "--json"});
        HS_DONE(listed);
        const auto lines = listed.jsonLines();
        QCOMPARE(lines.size(), std::size_t(2));
        QCOMPARE(lines[0]["state"].get<std::string>(), std::string("stopped"));
        QCOMPARE(lines[0]["step"].get<int>(), 20);
        QCOMPARE(lines[1]["state"].get<std::string>(), std::string("finished"));
        QVERIFY(lines[1]["loss"] == logOf(path("library/b")).back()["loss"]);
        const Outcome text = runHeadscope({"runs", name("library")});
        QVERIFY2(text.out.contains("stopped") && text.out.contains("20/120"), text.out.constData());
        HS_REFUSED(runHeadscope({"runs", name("nowhere")}), 1, "no such folder");
    }

    void batchesThatAreCutStopTheRun()
    {
        writeBatches(100'000);
        QProcess process;
        process.start(test::executable(), {"train", name("config.json"), "--out", name("cut"),
                                           "--device", "cpu", "--json"});
        QVERIFY(process.waitForReadyRead(60'000));
        fs::resize_file(path("batches.safetensors"), std::size_t{1} << 20);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 1);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.count('\n') == 1 && said.contains("batches.safetensors") &&
                     said.contains("resume the training run"),
                 said.constData());
        const RunSummary run = RunLibrary::summary(path("cut"));
        QCOMPARE(nameOf(run.state), std::string("stopped"));
        QVERIFY(run.loss && *run.loss > 0.0);
        loadNewest(path("cut"), 1);
        QCOMPARE(Timeline(path("cut")).snapshots().back().step, run.step);
    }

    void aRunIsDrawnOrRefusedInOneSentence_data()
    {
        QTest::addColumn<QString>("damaged");
        QTest::addColumn<QString>("as");
        QTest::addColumn<bool>("isDrawn");
        QTest::newRow("whole") << ""
                               << "" << true;
        QTest::newRow("no tokenizer") << "checkpoints/tokenizer.json"
                                      << "gone" << true;
        QTest::newRow("a damaged tokenizer") << "checkpoints/tokenizer.json"
                                             << "text" << false;
        QTest::newRow("the log is a folder") << "log.jsonl"
                                             << "folder" << false;
        QTest::newRow("the timeline is a folder") << "timeline.json"
                                                  << "folder" << false;
        QTest::newRow("other settings") << "config.json"
                                        << "text" << false;
        QTest::newRow("no checkpoint is left") << "checkpoints"
                                               << "emptied" << false;
        QTest::newRow("a checkpoint was cut") << "checkpoints/step-30.safetensors"
                                              << "cut" << false;
        QTest::newRow("a checkpoint of another kind") << "checkpoints/step-30.safetensors"
                                                      << "text" << false;
    }

    void aRunIsDrawnOrRefusedInOneSentence()
    {
        QFETCH(const QString, damaged);
        QFETCH(const QString, as);
        QFETCH(const bool, isDrawn);
        writeConfig(30);
        HS_DONE(train({"--out", name("run")}));
        const fs::path file = path("run") / damaged.toStdString();
        if (as == "gone" || as == "folder")
            fs::remove(file);
        if (as == "folder")
            fs::create_directory(file);
        if (as == "emptied")
            for (const auto& entry : fs::directory_iterator(file))
                fs::remove(entry.path());
        if (as == "text")
            writeAtomically(file, "no such file");
        if (as == "cut")
            fs::resize_file(file, 100);
        const Outcome outcome = drawn("run");
        if (isDrawn)
            HS_DONE(outcome);
        else
            HS_REFUSED(outcome, 1, "run");
        QCOMPARE(fs::exists(path("run.png")), isDrawn);
    }

    void aRunOnBatchesIsDrawnByIds()
    {
        writeBatches(30);
        HS_DONE(train({"--out", name("run")}));
        const Outcome generated = runHeadscope(
            {"generate", "--model", name("run"), "--ids", "3,1,4", "--max-tokens", "2", "--json"});
        HS_DONE(generated);
        QCOMPARE(generated.json().at("ids").size(), std::size_t{5});
        QVERIFY(runHeadscope(
                    {"generate", "--model", name("run"), "--ids", "3,1,4", "--max-tokens", "2"})
                    .out.startsWith("3 1 4 "));
        HS_DONE(drawn("run"));
        QVERIFY(fs::exists(path("run.png")));
    }

    void aForkGoesOnAsTheRunDid()
    {
        writeConfig(120);
        HS_DONE(train({"--out", name("trunk")}));
        HS_DONE(runHeadscope(
            {"train", name("trunk"), "--fork", "60", "--out", name("branch"), "--device", "cpu"}));
        QCOMPARE(bytesOf("branch/checkpoints/step-120.safetensors"),
                 bytesOf("trunk/checkpoints/step-120.safetensors"));
        const Outcome missing = runHeadscope(
            {"train", name("trunk"), "--fork", "61", "--out", name("none"), "--device", "cpu"});
        HS_REFUSED(missing, 1, "no snapshot of step 61");
        const Outcome both = runHeadscope({"train", name("trunk"), "--fork", "60", "--resume",
                                           "--out", name("none"), "--device", "cpu"});
        QCOMPARE(both.status, 2);
    }

    void aRunThatDivergesSaysSoInOneSentence()
    {
        const QByteArray wild =
            QByteArray(kConfig)
                .replace("STEPS", "500")
                .replace(
                    R"("seed": 3)",
                    R"("seed": 3, "optimizer": {"name": "sgd", "lr": 1000, "clip_norm": null})");
        writeAtomically(path("config.json"), wild.toStdString());
        const Outcome outcome = train({"--out", name("wild")});
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.err.contains("diverged") && outcome.err.contains("last good snapshot"),
                 outcome.err.constData());
        QCOMPARE(nameOf(RunLibrary::summary(path("wild")).state), std::string("diverged"));
        writeAtomically(path("config.json"), QByteArray(wild).replace("1000", "1e9").toStdString());
        HS_REFUSED(train({"--out", name("wilder")}), 1, "from 0 to 1000");
        QVERIFY(!fs::exists(path("wilder")));
    }

private:
    /// Starts or resumes the run and kills it that much later, counted from its first step or,
    /// while it starts, from its start; false when it had ended by then.
    bool isKilled(bool inTraining, int milliseconds)
    {
        QProcess process;
        process.start(test::executable(),
                      QStringList{"train", name("config.json"), "--device", "cpu", "--json"} +
                          arguments("killed"));
        if (!process.waitForStarted() || (inTraining && !process.waitForReadyRead(60'000)) ||
            process.waitForFinished(milliseconds))
            return false;
        ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
        return process.waitForFinished(60'000) && process.exitStatus() == QProcess::CrashExit;
    }

    QStringList arguments(const char* run) const
    {
        QStringList list{"--out", name(run)};
        if (fs::exists(path(run) / "config.json"))
            list << "--resume";
        return list;
    }

    static void loadNewest(const fs::path& run, std::size_t count)
    {
        const Timeline timeline(run);
        const auto& snapshots = timeline.snapshots();
        for (std::size_t i = snapshots.size() - std::min(snapshots.size(), count);
             i < snapshots.size(); ++i)
            QVERIFY(timeline.load(snapshots[i].step) != nullptr);
    }

    void writeConfig(std::int64_t steps) const
    {
        writeAtomically(
            path("config.json"),
            QByteArray(kConfig).replace("STEPS", QByteArray::number(qint64(steps))).toStdString());
    }

    /// Batches of 4 x 32 ids for so many steps, and a configuration that uses them.
    void writeBatches(std::int64_t steps) const
    {
        const std::vector<std::int64_t> ids(static_cast<std::size_t>(steps) * 4 * 32, 3);
        SafetensorsWriter writer;
        writer.add("inputs", ids, {steps, 4, 32});
        writer.add("targets", ids, {steps, 4, 32});
        writer.write(path("batches.safetensors"));
        const QByteArray config =
            QByteArray(kConfig)
                .replace("STEPS", QByteArray::number(qint64(steps)))
                .replace(R"("d_model": 16)", R"("vocab_size": 8, "d_model": 16)")
                .replace(R"({"task": "repeat", "validation_batches": 1})",
                         R"({"batches": "batches.safetensors"})");
        writeAtomically(path("config.json"), config.toStdString());
    }

    Outcome drawn(const char* run) const
    {
        return runHeadscope({name(run), "--screenshot", name("run.png"), "--size", "1000x700"});
    }

    QByteArray bytesOf(const char* file) const
    {
        QFile bytes(name(file));
        return bytes.open(QIODevice::ReadOnly) ? bytes.readAll() : QByteArray("missing ") + file;
    }

    Outcome train(const QStringList& arguments) const
    {
        return runHeadscope(QStringList{"train", name("config.json"), "--device", "cpu"} +
                            arguments);
    }

    QString name(const char* file) const { return m_folder->filePath(file); }

    fs::path path(const char* file) const { return name(file).toStdString(); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

HEADSCOPE_TEST(TstTrainRuns)
#include "tst_train_runs.moc"
