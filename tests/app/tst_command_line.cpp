#include "core/ops/kernels.h"
#include "tests/app/run_headscope.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"

#include <QTemporaryDir>

using namespace headscope;
using test::Outcome;
using test::runHeadscope;

class TstCommandLine : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase()
    {
        m_model =
            QString::fromStdString(test::saveTinyModel(m_folder.path().toStdString()).string());
    }

    void theVersionIsOneLine()
    {
        const Outcome outcome = runHeadscope({"--version"});
        HS_DONE(outcome);
        QVERIFY(outcome.out.startsWith("headscope "));
        QCOMPARE(outcome.out.count('\n'), 1);
    }

    void everyCommandExplainsItself_data()
    {
        QTest::addColumn<QStringList>("command");
        for (const char* name : {"tokenize", "trace", "render", "inspect", "train", "runs",
                                 "generate", "devices", "bench"})
            QTest::newRow(name) << QStringList{name};
        QTest::newRow("headscope") << QStringList{};
        QTest::newRow("tokenize train") << QStringList{"tokenize", "train"};
    }

    void everyCommandExplainsItself()
    {
        QFETCH(QStringList, command);
        const Outcome outcome = runHeadscope(command + QStringList{"--help"});
        HS_DONE(outcome);
        QVERIFY(outcome.out.contains("Usage:"));
        QVERIFY(outcome.err.isEmpty());
    }

    void wrongUsageIsStatusTwoAndOneSentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("reported");
        const auto row = [](const QStringList& arguments, const char* reported) {
            QTest::newRow(qPrintable(arguments.join(' ').left(60)))
                << arguments << QByteArray(reported);
        };
        row({"tokenise"}, "Did you mean \"tokenize\"?");
        row({"--modle", "x"}, "Did you mean \"--model\"?");
        row({"generate", "--promt", "x"}, "Did you mean \"--prompt\"?");
        row({"generate", "--prompt", "x", "--temprature=2"}, "Did you mean \"--temperature\"?");
        row({"generate"}, "--prompt");
        row({"generate", "--prompt", "x", "--ids", "1"}, "--prompt");
        row({"trace", "--txt", "x", "--out", "x"}, "Did you mean \"--text\"?");
        for (const char* ids : {"", " ", "1,,2", "1,2,", ",1", "0x10", "1.5", "1 2", "+1"}) {
            row({"generate", "--ids", ids}, "is not a list of token ids");
            row({"trace", "--out", "x", "--ids", ids}, "is not a list of token ids");
        }
        row({"generate", "--prompt"}, "--prompt");
        row({"generate", "--prompt", "x", "--temperature", "hot"}, "--temperature");
        row({"generate", "--prompt", "x", "--temperature", "-1"}, "--temperature");
        row({"generate", "--prompt", "x", "--top-p", "1.5"}, "--top-p");
        row({"generate", "--prompt", "x", "--max-tokens", "99999999999999999999"}, "--max-tokens");
        row({"generate", "--prompt", "x", "--temperature", "nan"}, "--temperature");
        row({"generate", "--prompt", "x", "--top-p", "0"}, "Use a number above 0");
        row({"generate", "--prompt", "x", "--top-k", "2.5"}, "--top-k");
        row({"generate", "--prompt", "x", "--min-p", "1.5"}, "Use 1 or less");
        row({"generate", "--prompt", "x", "--typical-p", "-1"}, "--typical-p");
        row({"generate", "--prompt", "x", "--repetition-penalty", "0"}, "--repetition-penalty");
        row({"generate", "--prompt", "x", "--beams", "0"}, "0 beams: Use 1");
        row({"generate", "--prompt", "x", "--beams", "9999"}, "Use 256");
        row({"generate", "--prompt", "x", "--beams", "2", "--length-penalty", "99"}, "Use 10");
        row({"generate", "--prompt", "x", "--length-penalty", "1"}, "--beams");
        row({"generate", "--prompt", "x", "--beams", "2", "--top-k", "3"}, "--top-k");
        row({"trace", "--out", "x"}, "--text");
        row({"trace", "--text", "x", "--ids", "1", "--out", "x"}, "--text");
        row({"trace", "--ids", "1,b", "--out", "x"}, "--ids");
        row({"train"}, "CONFIG");
        row({"tokenize", "train", "--kind", "words", "--in", "a", "--out", "b"}, "--kind");
        row({"bench", "everything"}, "WHAT");
        row({"generate", "--prompt", "x", "--a\nb"}, "\\x0a");
    }

    void wrongUsageIsStatusTwoAndOneSentence()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, reported);
        const Outcome outcome = runHeadscope(arguments);
        HS_REFUSED(outcome, 2, reported);
        QVERIFY(outcome.out.isEmpty());
    }

    void theInstructionSetIsChosenByTheEnvironment()
    {
        const auto with = [](const char* set) {
            return [set](QProcess& process) {
                QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
                environment.insert("HEADSCOPE_ISA", set);
                process.setProcessEnvironment(environment);
            };
        };
        const QStringList bench = {"bench", "scores", "--tokens", "8", "--rounds", "1", "--json"};
        const Outcome narrow = runHeadscope(bench, {}, with("baseline"));
        HS_DONE(narrow);
        QCOMPARE(narrow.json().at("kernels").get<std::string>(), std::string("baseline"));
        const Outcome widest = runHeadscope(bench, {}, with(""));
        HS_DONE(widest);
        QCOMPARE(widest.json().at("kernels").get<std::string>(), std::string(kernels().name));
        HS_REFUSED(runHeadscope(bench, {}, with("sse9")), 1,
                   "Choose baseline, avx2, avxvnni or avx512");
    }

    void anEmptyValueIsAnEmptyText()
    {
        const QString out = m_folder.filePath("empty.safetensors");
        const Outcome joined =
            runHeadscope({"trace", "--model", m_model, "--text=", "--device", "cpu", "--out", out});
        HS_DONE(joined);
        HS_DONE(runHeadscope({"generate", "--model", m_model, "--prompt=", "--max-tokens", "1"}));
        HS_REFUSED(
            runHeadscope({"trace", "--model", m_model, "--text", "x", "--mask=", "--out", out}), 1,
            "the mask is empty");
        HS_REFUSED(
            runHeadscope({"trace", "--model", m_model, "--text", "x", "--mask", "", "--out", out}),
            1, "the mask is empty");
        HS_REFUSED(runHeadscope({"generate", "--model=", "--prompt", "x", "--device="}), 1,
                   "device");
    }

    void anUnusableModelIsStatusOneAndOneSentence_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QByteArray>("reported");
        QTest::newRow("missing") << "/nowhere/m.safetensors" << QByteArray("No such file");
        QTest::newRow("unknown builtin") << "builtin:nothing_like_it" << QByteArray("builtin");
        QTest::newRow("folder") << m_folder.path()
                                << QByteArray("neither a model nor a training run");
        QTest::newRow("endless device") << "/dev/zero" << QByteArray("a device");
        QTest::newRow("executable") << test::executable() << QByteArray("byte 0");
        QTest::newRow("gguf") << "m.gguf" << QByteArray("No such file");
        QTest::newRow("name with a line end") << "a\nb" << QByteArray("a b");
    }

    void anUnusableModelIsStatusOneAndOneSentence()
    {
        QFETCH(QString, model);
        QFETCH(QByteArray, reported);
        HS_REFUSED(runHeadscope({"generate", "--prompt", "x", "--model", model}), 1, reported);
    }

    void aTruncatedModelIsRefusedAtEveryLength()
    {
        QFile whole(m_model);
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const QByteArray bytes = whole.readAll();
        const QString cut = m_folder.filePath("cut.safetensors");
        for (const qsizetype length : {qsizetype{0}, qsizetype{7}, qsizetype{8}, qsizetype{500},
                                       bytes.size() / 2, bytes.size() - 1}) {
            QFile file(cut);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bytes.left(length));
            file.close();
            HS_REFUSED(runHeadscope({"generate", "--prompt", "x", "--model", cut}), 1, "byte");
        }
    }

    void anUnknownDeviceIsRefusedWithTheChoices()
    {
        HS_REFUSED(
            runHeadscope({"generate", "--prompt", "x", "--model", m_model, "--device", "tpu"}), 1,
            "cpu");
    }

    void aFullDiskIsNoticed()
    {
        const auto toFull = [](QProcess& process) { process.setStandardOutputFile("/dev/full"); };
        HS_REFUSED(runHeadscope({"tokenize", "--model", m_model, "the cat"}, {}, toFull), 1,
                   "standard output");
    }

private:
    QTemporaryDir m_folder;
    QString m_model;
};

HEADSCOPE_TEST(TstCommandLine)
#include "tst_command_line.moc"
