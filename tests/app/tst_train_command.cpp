#include "core/base/atomic_write.h"
#include "core/io/checkpoint.h"
#include "tests/app/run_headscope.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTemporaryDir>

#include <csignal>

using namespace headscope;
using test::Outcome;
using test::runHeadscope;

namespace {

const char* const kConfig = R"({"model": {"d_model": 16, "n_layers": 2, "n_heads": 2, "d_ff": 32,
  "max_len": 32}, "data": {"task": "repeat"}, "batch_size": 4, "steps": STEPS, "seed": 3,
  "log_every": 1, "checkpoint_every": 1000000})";

} // namespace

class TstTrainCommand : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        writeConfig(kConfig, "12");
    }

    void aRunLeavesAModelThatOpens()
    {
        const Outcome outcome = train({"--out", path("run"), "--json"});
        HS_DONE(outcome);
        const auto lines = outcome.jsonLines();
        QCOMPARE(lines.size(), std::size_t{12});
        for (const char* key : {"step", "loss", "val_loss", "lr", "grad_norm", "tokens_per_s"})
            QVERIFY2(lines.back().contains(key), key);
        QCOMPARE(lines.back()["step"].get<int>(), 12);
        QVERIFY(lines.back()["val_loss"].is_number());
        const LoadedModel model =
            loadCheckpoint(path("run/checkpoints/step-12.safetensors").toStdString());
        QCOMPARE(model.model->config().layers, std::int64_t{2});
        HS_DONE(runHeadscope({"generate", "--model", path("run"), "--prompt", "a b", "--device",
                              "cpu", "--max-tokens", "2"}));
    }

    void aRunThatWasStoppedGoesOnBitForBit()
    {
        HS_DONE(train({"--out", path("whole")}));
        HS_DONE(train({"--out", path("parts"), "--steps", "5"}));
        HS_DONE(train({"--out", path("parts"), "--resume"}));
        QCOMPARE(checkpoint("parts/checkpoints/step-12.safetensors"),
                 checkpoint("whole/checkpoints/step-12.safetensors"));
    }

    void theSeedChangesTheNumbers()
    {
        HS_DONE(train({"--out", path("a"), "--steps", "2"}));
        HS_DONE(train({"--out", path("b"), "--steps", "2", "--seed", "4"}));
        QVERIFY(checkpoint("a/checkpoints/step-2.safetensors") !=
                checkpoint("b/checkpoints/step-2.safetensors"));
    }

    void tasksAndExperimentsAreListed()
    {
        const Outcome list = runHeadscope({"train", "--list"});
        HS_DONE(list);
        for (const char* name : {"brackets", "repeat-one-layer", "mask-missing", "scaling-law"})
            QVERIFY2(list.out.contains(name), name);
        const Outcome json = runHeadscope({"train", "--list", "--json"});
        HS_DONE(json);
        const auto all = json.jsonLines().front();
        QCOMPARE(all["tasks"].size(), std::size_t{12});
        QCOMPARE(all["experiments"].size(), std::size_t{15});
        for (const auto& task : all["tasks"])
            QVERIFY(!task["description"].get<std::string>().empty() && task["config"].is_object());
        for (const auto& experiment : all["experiments"])
            QVERIFY(experiment["variants"].size() >= 2);
    }

    void anOwnTextIsLearntFrom()
    {
        const std::string text = "the cat sat on the mat\nthe dog sat on the log\n";
        std::string book;
        for (int i = 0; i < 400; ++i)
            book += text + std::to_string(i * 7919) + " cats\n";
        writeAtomically(path("book.txt").toStdString(), book);
        HS_DONE(runHeadscope({"train", "builtin:text", "--text", path("book.txt"), "--out",
                              path("book"), "--steps", "2", "--device", "cpu"}));
        writeAtomically(path("bad.txt").toStdString(), std::string("ab\0c", 4));
        const Outcome bad = runHeadscope({"train", "builtin:text", "--text", path("bad.txt"),
                                          "--out", path("bad"), "--device", "cpu"});
        QCOMPARE(bad.status, 1);
        QVERIFY(bad.err.contains("not a text file") && bad.err.contains("byte 2"));
        QVERIFY(!QDir(path("bad")).exists());
    }

    void anExperimentEndsInItsSentence()
    {
        const QStringList command{"train", "--experiment", "positions-missing",
                                  "--out", path("order"),  "--device",
                                  "cpu"};
        const Outcome outcome = runHeadscope(command + QStringList{"--json"});
        HS_DONE(outcome);
        const auto lines = outcome.jsonLines();
        QVERIFY(lines.size() > 100);
        QCOMPARE(lines.front()["variant"].get<std::string>(), std::string("no-positions"));
        const auto sentence = lines.back()["conclusion"].get<std::string>();
        QVERIFY2(sentence.find("Without positions") == 0, sentence.c_str());
        const Outcome again = runHeadscope(command); // is kept
        HS_DONE(again);
        QVERIFY(again.out.contains(sentence.c_str()));
        const Outcome wrong =
            runHeadscope({"train", "--experiment", "positions", "--out", path("x")});
        QCOMPARE(wrong.status, 1);
        QVERIFY(wrong.err.contains("positions-missing"));
    }

    void controlCSavesAndEndsWell()
    {
        writeConfig(kConfig, "100000000");
        QProcess process;
        process.start(test::executable(), {"train", path("config.json"), "--out", path("run"),
                                           "--device", "cpu", "--json"});
        QVERIFY(process.waitForReadyRead(60'000));
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
        const QByteArray reported = process.readAllStandardError();
        QVERIFY2(reported.contains("stopped after step "), reported.constData());
        const Outcome resumed = train({"--out", path("run"), "--resume", "--steps", "1"});
        QVERIFY2(resumed.status == 0 || resumed.isOneSentence(), resumed.err.constData());
        HS_DONE(runHeadscope({"generate", "--model", path("run"), "--prompt", "a", "--device",
                              "cpu", "--max-tokens", "1"}));
    }

    void wrongConfigurationsAreRefusedAndLeaveNothing_data()
    {
        QTest::addColumn<QByteArray>("config");
        QTest::addColumn<QByteArray>("reported");
        const auto row = [](const char* name, const char* config, const char* reported) {
            QTest::newRow(name) << QByteArray(config) << QByteArray(reported);
        };
        row("unknown key", R"({"stpes": 3})", "steps");
        row("unknown key below", R"({"model": {"d_modle": 3}})", "d_model");
        row("number as a string", R"({"steps": "3"})", "steps");
        row("beyond a double", R"({"optimizer": {"lr": 1e400}})", "range");
        row("negative", R"({"batch_size": -1})", "batch_size");
        row("null", R"({"steps": null})", "steps");
        row("duplicate", R"({"steps": 1, "steps": 2})", "more than once");
        row("not an object", "[]", "object");
        row("not a JSON", "steps: 3", "JSON");
        row("empty", "", "JSON");
        row("missing text", R"({"data": {"text": "/nowhere.txt"}})", "nowhere.txt");
    }

    void wrongConfigurationsAreRefusedAndLeaveNothing()
    {
        QFETCH(QByteArray, config);
        QFETCH(QByteArray, reported);
        writeConfig(config.constData(), "1");
        HS_REFUSED(lastLine(train({"--out", path("run")})), 1, reported);
        QVERIFY(!QDir(path("run")).exists());
    }

    void placesThatCannotBeUsedAreRefused()
    {
        HS_REFUSED(train({"--out", m_folder->path()}), 1, "--resume");
        HS_REFUSED(train({"--out", path("config.json")}), 1, "already");
        HS_REFUSED(train({"--out", path("none"), "--resume"}), 1, "none");
        HS_REFUSED(runHeadscope({"train", path("missing.json"), "--out", path("run")}), 1,
                   "missing.json");
        HS_REFUSED(runHeadscope({"train", m_folder->path(), "--out", path("run")}), 1, "folder");
        HS_REFUSED(runHeadscope({"train", "builtin:storeis", "--out", path("run")}), 1,
                   "Did you mean \"stories\"?");
    }

    void anotherConfigurationCannotGoOnWithARun()
    {
        HS_DONE(train({"--out", path("run"), "--steps", "2"}));
        const Outcome outcome = train({"--out", path("run"), "--resume", "--seed", "9"});
        HS_REFUSED(lastLine(outcome), 1, "seed");
    }

private:
    /// Notes of progress may stand before the error.
    static Outcome lastLine(Outcome outcome)
    {
        outcome.err = outcome.err.mid(outcome.err.lastIndexOf("headscope: error: "));
        return outcome;
    }

    void writeConfig(const char* text, const char* steps) const
    {
        const QByteArray config = QByteArray(text).replace("STEPS", steps);
        writeAtomically(path("config.json").toStdString(), config.toStdString());
    }

    QByteArray checkpoint(const QString& name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll()
                                              : QByteArray("missing " + name.toUtf8());
    }

    Outcome train(const QStringList& arguments) const
    {
        return runHeadscope(QStringList{"train", path("config.json"), "--device", "cpu"} +
                            arguments);
    }

    QString path(const QString& name) const { return m_folder->filePath(name); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

HEADSCOPE_TEST(TstTrainCommand)
#include "tst_train_command.moc"
