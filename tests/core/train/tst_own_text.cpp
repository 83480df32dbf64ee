#include "core/base/error.h"
#include "core/train/data/masked_text_dataset.h"
#include "core/train/data/prepared_data.h"
#include "core/train/data/text_check.h"
#include "core/train/stories/story_grammar.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>

using namespace headscope;

namespace {

TrainingConfig configFor(const std::string& path, std::int64_t vocabularySize = 300)
{
    TrainingConfig config =
        parseTrainingConfig(R"({"model": {"max_len": 32}, "batch_size": 4})", "run.json");
    config.data.text = path;
    config.data.vocabularySize = vocabularySize;
    return config;
}

} // namespace

/// What becomes of a person's own text file, good or bad.
class TstOwnText : public QObject
{
    Q_OBJECT

private:
    std::string write(const std::string& text)
    {
        const std::string path = m_folder.filePath("text.txt").toStdString();
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }

    /// What is said about a text; empty when it is taken.
    std::string problemWith(const std::string& text, std::int64_t vocabularySize = 300)
    {
        try {
            prepareData(configFor(write(text), vocabularySize));
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    QTemporaryDir m_folder;

private slots:

    void badTextsAreRefusedInOneSentence_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("vocabularySize");
        QTest::addColumn<QByteArrayList>("reported");
        const auto row = [](const char* name, const QByteArray& text, qint64 size,
                            const QByteArrayList& reported) {
            QTest::newRow(name) << text << size << reported;
        };
        const QByteArray words = QByteArray::fromStdString(generateStories(3, 3000));
        row("empty", "", 300, {"empty", "Choose"});
        row("only spaces", " \n\n \t ", 300, {"empty"});
        row("one byte, again and again", QByteArray("aaaa\naaaa\n").repeated(300), 300,
            {"consists only of \"a\"", "different words"});
        row("one character of two bytes", QByteArray("\xC3\xA9\n").repeated(300), 300,
            {"consists only of \"\u00E9\""});
        row("a binary file",
            QByteArray("\x7F"
                       "ELF\x02\x01\x00\x00",
                       8)
                .repeated(50),
            300, {"not a text", "byte 6", "UTF-8"});
        row("UTF-16", QByteArray("h\0e\0", 4).repeated(50), 300, {"not a text", "byte 1"});
        row("Latin-1", "caf\xE9 au lait\nencore\n", 300, {"UTF-8", "byte 3", "save it as"});
        row("too short for the batch", "a few words\nand some more\n", 258,
            {"too short for a batch", "4 rows of 32", "batch_size"});
        row("too poor for the vocabulary", words, 60'000, {"vocabulary", "60000", "vocab_size up"});
        row("one document", QByteArray("word ").repeated(200), 260, {"fewer than two documents"});
    }

    void badTextsAreRefusedInOneSentence()
    {
        QFETCH(QByteArray, text);
        QFETCH(qint64, vocabularySize);
        QFETCH(QByteArrayList, reported);
        const std::string problem = problemWith(text.toStdString(), vocabularySize);
        for (const QByteArray& part : reported)
            QVERIFY2(problem.find(part.toStdString()) != std::string::npos, problem.c_str());
        QVERIFY(problem.find('\n') == std::string::npos);
        QVERIFY(problem.find("text.txt") != std::string::npos);
    }

    /// The sentence says which vocabulary would do, and that one does.
    void theVocabularyThatIsOfferedIsTaken()
    {
        const std::string text = generateStories(3, 3000);
        const std::string problem = problemWith(text, 60'000);
        const std::string mark = "vocab_size up to ";
        const std::int64_t offered = std::stoll(problem.substr(problem.find(mark) + mark.size()));
        QCOMPARE(problemWith(text, offered), std::string());
        QVERIFY(!problemWith(text, offered + 1).empty());
    }

    void aBatchThatJustFitsIsTaken()
    {
        const TrainingConfig config = configFor(write(generateStories(3, 3000)));
        const auto tokens =
            static_cast<std::int64_t>(prepareData(config).text->trainingTokens().size());
        requireBatch(tokens, 1, tokens - 1, "here");
        QVERIFY_EXCEPTION_THROWN(requireBatch(tokens, 1, tokens, "here"), Error);
    }

    void maskedTextIsCheckedToo()
    {
        TrainingConfig config = parseTrainingConfig(
            R"({"model": {"architecture": "encoder", "max_len": 32}, "batch_size": 4})",
            "run.json");
        config.data.text = write("a few words\nand some more\n");
        config.data.vocabularySize = 263;
        QVERIFY_EXCEPTION_THROWN(prepareData(config), Error);
    }

    void learningTheVocabularyTellsHowFarItIs()
    {
        std::vector<std::string> reported;
        std::vector<double> done;
        prepareData(
            configFor(write(generateStories(4, 60'000)), 800),
            [&](const std::string& what) { reported.push_back(what); }, {},
            [&](double fraction) { done.push_back(fraction); });
        QCOMPARE(reported.size(), std::size_t{3});
        QVERIFY(reported[0].find("reading") == 0 && reported[2].find("encoding") == 0);
        QCOMPARE(reported[1], std::string("training a vocabulary of 800 tokens"));
        QCOMPARE(done.size(), std::size_t{(800 - 257) / 64});
        QVERIFY(std::ranges::is_sorted(done));
        QVERIFY(std::abs(done.front() - 64.0 / 543.0) < 1e-12 && done.back() <= 1.0);
    }

    void learningTheVocabularyCanBeStopped()
    {
        std::stop_source source;
        QVERIFY_EXCEPTION_THROWN(prepareData(configFor(write(generateStories(4, 60'000)), 800), {},
                                             source.get_token(),
                                             [&](double) { source.request_stop(); }),
                                 Cancelled);
    }

    void encodingCanBeStopped()
    {
        std::stop_source source;
        const auto stopAtEncoding = [&](const std::string& what) {
            if (what.find("encoding") == 0)
                source.request_stop();
        };
        QVERIFY_EXCEPTION_THROWN(prepareData(configFor(write(generateStories(4, 60'000))),
                                             stopAtEncoding, source.get_token()),
                                 Cancelled);
    }
};

HEADSCOPE_TEST(TstOwnText)
#include "tst_own_text.moc"
