#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/text/files/tokenizer_file.h"
#include "tests/app/run_headscope.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"

#include <QDir>
#include <QTemporaryDir>

#include <fstream>

using namespace headscope;
using test::Outcome;
using test::runHeadscope;

class TstTokenizeCommand : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase()
    {
        test::saveTinyModel(m_folder.path().toStdString());
        m_tokenizer = m_folder.filePath("tokenizer.json");
    }

    void argumentsBecomeOneObjectALine()
    {
        const Outcome outcome =
            runHeadscope({"tokenize", "--tokenizer", m_tokenizer, "--json", "the cat", "", "mat"});
        HS_DONE(outcome);
        const auto lines = outcome.jsonLines();
        QCOMPARE(lines.size(), std::size_t{3});
        const TokenSequence expected = tokenizer()->encode("the cat");
        QCOMPARE(lines[0]["text"].get<std::string>(), std::string("the cat"));
        QCOMPARE(lines[0]["ids"].get<std::vector<TokenId>>(), expected.ids());
        QCOMPARE(lines[0]["tokens"].size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QCOMPARE(lines[0]["tokens"][i].get<std::string>(),
                     tokenizer()->tokenText(expected.tokens[i].id));
            QCOMPARE(lines[0]["offsets"][i][0].get<std::size_t>(), expected.tokens[i].bytes.begin);
            QCOMPARE(lines[0]["offsets"][i][1].get<std::size_t>(), expected.tokens[i].bytes.end);
        }
        QVERIFY(lines[1]["ids"].empty());
    }

    void linesOfStandardInputAreInputs()
    {
        const QByteArray input("the cat\n\nmat\0x\n\xff\xfe last", 22);
        const Outcome outcome =
            runHeadscope({"tokenize", "--tokenizer", m_tokenizer, "--json"}, input);
        HS_DONE(outcome);
        const auto lines = outcome.jsonLines();
        QCOMPARE(lines.size(), std::size_t{4});
        QVERIFY(lines[1]["ids"].empty());
        QCOMPARE(lines[2]["text"].get<std::string>(), std::string("mat\0x", 5));
        QCOMPARE(lines[3]["text"].get<std::string>(), std::string("\xef\xbf\xbd\xef\xbf\xbd last"));
        QCOMPARE(lines[3]["offsets"][0].dump(), std::string("[0,1]"));
    }

    void aMegabyteIsTokenized()
    {
        const QByteArray input = QByteArray("the cat sat ").repeated(90'000);
        const Outcome outcome =
            runHeadscope({"tokenize", "--tokenizer", m_tokenizer, "--json"}, input);
        HS_DONE(outcome);
        QCOMPARE(outcome.json()["offsets"].back()[1].get<qsizetype>(), input.size());
    }

    void peopleSeeOneLineAToken()
    {
        const Outcome outcome = runHeadscope({"tokenize", "--tokenizer", m_tokenizer, "the cat"});
        HS_DONE(outcome);
        QCOMPARE(outcome.out.trimmed().count('\n') + 1,
                 static_cast<qsizetype>(tokenizer()->encode("the cat").size()));
    }

    void aTokenizerIsTrainedAsTheGoldenOne()
    {
        const QString out = m_folder.filePath("trained.json");
        const QString corpus =
            QString::fromStdString((test::goldenDir() / "tokenizers/corpus.txt").string());
        const auto golden = loadBpeTokenizer(test::goldenDir() / "tokenizers/bpe");
        const Outcome outcome =
            runHeadscope({"tokenize", "train", "--vocab", QString::number(golden->vocabularySize()),
                          "--in", corpus, "--out", out});
        HS_DONE(outcome);
        const auto trained = loadBpeTokenizer(out.toStdString());
        QCOMPARE(trained->vocabulary().merges.size(), golden->vocabulary().merges.size());
        QVERIFY(trained->vocabulary().merges == golden->vocabulary().merges);
        QVERIFY(trained->vocabulary().tokens == golden->vocabulary().tokens);
    }

    void tokenizersOfOtherKindsAreTrained_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("model");
        QTest::newRow("wordpiece") << "wordpiece"
                                   << "WordPiece";
        QTest::newRow("unigram") << "unigram"
                                 << "Unigram";
    }

    void tokenizersOfOtherKindsAreTrained()
    {
        QFETCH(QString, kind);
        QFETCH(QString, model);
        const QString out = m_folder.filePath(kind + ".json");
        const QString corpus =
            QString::fromStdString((test::goldenDir() / "tokenizers/corpus.txt").string());
        HS_DONE(runHeadscope(
            {"tokenize", "train", "--kind", kind, "--vocab", "300", "--in", corpus, "--out", out}));
        const nlohmann::json written =
            parseJson(readFile(out.toStdString(), 1 << 24), out.toStdString());
        QCOMPARE(written["model"]["type"].get<std::string>(), model.toStdString());
        QCOMPARE(written["model"]["vocab"].size(), std::size_t{300});
    }

    void badFilesAndPlacesAreRefusedAndLeaveNothing()
    {
        const QString bad = m_folder.filePath("bad.json");
        std::ofstream(bad.toStdString()) << "{\"model\": {";
        HS_REFUSED(runHeadscope({"tokenize", "--tokenizer", bad, "x"}), 1, "bad.json");
        HS_REFUSED(runHeadscope({"tokenize", "--tokenizer", "/nowhere.json", "x"}), 1, "nowhere");
        const QDir empty(m_folder.filePath("empty"));
        QVERIFY(QDir().mkdir(empty.path()));
        HS_REFUSED(runHeadscope({"tokenize", "train", "--in", "/nowhere", "--out",
                                 empty.filePath("t.json")}),
                   1, "No such file");
        HS_REFUSED(runHeadscope({"tokenize", "train", "--in", bad, "--vocab", "3", "--out",
                                 empty.filePath("t.json")}),
                   1, "3");
        HS_REFUSED(runHeadscope({"tokenize", "train", "--in", bad, "--out", empty.path()}), 1,
                   "cannot write");
        QVERIFY(empty.entryList(QDir::Files | QDir::Hidden).isEmpty());
    }

private:
    std::shared_ptr<const Tokenizer> tokenizer() const
    {
        return loadTokenizer(m_tokenizer.toStdString());
    }

    QTemporaryDir m_folder;
    QString m_tokenizer;
};

HEADSCOPE_TEST(TstTokenizeCommand)
#include "tst_tokenize_command.moc"
