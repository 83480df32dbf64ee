#include "core/base/error.h"
#include "core/train/data/sequence_task.h"
#include "core/train/phrases/phrase_tokenizer.h"
#include "core/train/stories/story_words.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <set>

using namespace headscope;

namespace {

using Indices = std::vector<std::size_t>;

std::string complaintOf(const char* json)
{
    try {
        parsePhraseGrammar(json);
    } catch (const FormatError& error) {
        return error.what();
    }
    return {};
}

Phrase parsed(const char* english)
{
    const auto phrase = phraseBook().parse(english);
    return phrase ? *phrase : Phrase();
}

std::set<std::string> unitsOf(const std::vector<Phrase::Unit>& units)
{
    std::set<std::string> texts;
    for (const Phrase::Unit& unit : units)
        texts.insert(unit.text);
    return texts;
}

} // namespace

class TstPhraseBook : public QObject
{
    Q_OBJECT

private slots:

    void sentencesAreTranslated_data()
    {
        QTest::addColumn<QString>("english");
        QTest::addColumn<QString>("chinese");
        QTest::newRow("time and place before the verb")
            << "tom reads a book in the library on monday"
            << "汤姆星期一在图书馆读一本书";
        QTest::newRow("a time in front stays there, the day before the hour")
            << "at eight on friday my parents drink two cups of tea at home"
            << "星期五八点我父母在家喝两杯茶";
        QTest::newRow("not") << "she does not play chess in the park"
                             << "她不在公园里下棋";
        QTest::newRow("question") << "do you learn chinese every morning"
                                  << "你每天早上学中文吗";
        QTest::newRow("where") << "where does my brother buy three cakes"
                               << "我弟弟在哪里买三块蛋糕";
        QTest::newRow("to a person") << "when do they write to the doctor"
                                     << "他们什么时候给医生写信";
    }

    void sentencesAreTranslated()
    {
        QFETCH(QString, english);
        const auto phrase = phraseBook().parse(english.toStdString());
        QVERIFY(phrase);
        QCOMPARE(QString::fromStdString(phrase->sourceText()), english);
        QTEST(QString::fromStdString(phrase->targetText()), "chinese");
    }

    void otherSentencesAreNotInTheBook()
    {
        for (const char* other : {"", "tom", "tom read a book at home on monday",
                                  "tom reads a book in the library on monday monday"})
            QVERIFY2(!phraseBook().parse(other), other);
    }

    void charactersKnowTheWordsThatTheyTranslate()
    {
        const Phrase phrase = parsed("she does not drink two cups of tea at home");
        // 她 不 在 家 喝 两 杯 茶
        QCOMPARE(phrase.alignedWords(0), Indices({0}));
        QCOMPARE(phrase.alignedWords(1), Indices({1, 2}));
        QCOMPARE(phrase.alignedWords(2), Indices({8, 9}));
        QCOMPARE(phrase.alignedWords(4), Indices({3}));
        QCOMPARE(phrase.alignedWords(5), Indices({4, 5, 6}));
        QCOMPARE(phrase.alignedWords(7), Indices({7}));
    }

    void trainingNeverHasAHeldOutCombination()
    {
        Random random(3);
        std::set<std::string> words;
        std::set<std::string> characters;
        for (int i = 0; i < 4000; ++i) {
            const Phrase phrase = phraseBook().sample(random, false);
            QVERIFY(!phrase.isHeldOut);
            words.merge(unitsOf(phrase.source));
            characters.merge(unitsOf(phrase.target));
        }
        QVERIFY(isHeldOutPair("they", "play chess"));
        QVERIFY(parsed("they play chess at home on monday").isHeldOut);
        for (int i = 0; i < 400; ++i) { // every word of theirs is known from other combinations
            const Phrase phrase = phraseBook().sample(random, true);
            QVERIFY(phrase.isHeldOut);
            QVERIFY(std::ranges::includes(words, unitsOf(phrase.source)));
            QVERIFY(std::ranges::includes(characters, unitsOf(phrase.target)));
            const auto again = phraseBook().parse(phrase.sourceText());
            QVERIFY(again && again->targetText() == phrase.targetText() && again->isHeldOut);
        }
    }

    void wordsAndCharactersAreTokens()
    {
        const auto tokenizer = phraseTokenizer();
        Random random(5);
        for (int i = 0; i < 300; ++i) {
            const Phrase phrase = phraseBook().sample(random, i % 2 == 0);
            QVERIFY(phrase.source.size() <= phraseBook().longestSource());
            QVERIFY(phrase.target.size() <= phraseBook().longestTarget());
            const auto source = tokenizer->encode(phrase.sourceText(), false).ids();
            const auto target = tokenizer->encode(phrase.targetText(), false).ids();
            QCOMPARE(source.size(), phrase.source.size());
            QCOMPARE(target.size(), phrase.target.size());
            for (std::size_t k = 0; k < target.size(); ++k)
                QCOMPARE(tokenizer->decode(std::span(&target[k], 1)), phrase.target[k].text);
            QCOMPARE(tokenizer->decode(source), phrase.sourceText());
        }
        QCOMPARE(tokenizer->decode(tokenizer->encode("x-y 7").ids(), true),
                 std::string("x-y 7")); // other texts are bytes
    }

    void theTaskHoldsItsCombinationsOut()
    {
        SequenceTaskSettings settings;
        settings.kind = SequenceTaskKind::Phrases;
        const SequenceTask task(*phraseTokenizer(), 32, settings);
        for (std::uint64_t i = 0; i < 200; ++i) {
            const auto training = phraseBook().parse(task.pair(1, i).source);
            const auto heldOut = phraseBook().parse(task.heldOutPair(i).source);
            QVERIFY(training && !training->isHeldOut);
            QVERIFY(heldOut && heldOut->isHeldOut);
            QCOMPARE(task.pair(1, i).target, training->targetText());
            QCOMPARE(task.heldOutPair(i).target, heldOut->targetText());
        }
        QCOMPARE(task.validationBatch(1).sources, task.validationBatch(1).sources);
        QVERIFY_THROWS_EXCEPTION(Error, SequenceTask(*phraseTokenizer(), 12, settings));
    }

    void mistakesInTheGrammarAreNamed_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("words");
        QTest::newRow("no Chinese") << R"({"start": "s", "rules": {"s": [{"en": "a"}]}})"
                                    << "no \"zh\"";
        QTest::newRow("no such symbol")
            << R"({"start": "s", "rules": {"s": [{"en": "{t}", "zh": "{t}"}]}})"
            << "no symbol \"t\"";
        QTest::newRow("no such form")
            << R"({"start": "s", "rules": {"s": [{"en": "{t.x}", "zh": "{t}"}],
                                            "t": [{"en": "a", "zh": "一"}]}})"
            << "no form \"x\"";
        QTest::newRow("in Chinese only")
            << R"({"start": "s", "rules": {"s": [{"en": "a", "zh": "{t}"}],
                                            "t": [{"en": "a", "zh": "一"}]}})"
            << "other symbols";
        QTest::newRow("contains itself")
            << R"({"start": "s", "rules": {"s": [{"en": "a {s}", "zh": "一{s}"}]}})"
            << "contains itself";
        QTest::newRow("brace")
            << R"({"start": "s", "rules": {"s": [{"en": "\u007bt", "zh": "一"}]}})"
            << "no closing brace";
        QTest::newRow("held out")
            << R"({"start": "s", "held_out": [["s"]], "rules": {"s": [{"en": "a", "zh": "一"}]}})"
            << "\"held_out\"";
        QTest::newRow("key") << R"({"begin": "s", "rules": {}})"
                             << "unknown key \"begin\"";
    }

    void mistakesInTheGrammarAreNamed()
    {
        QFETCH(QString, json);
        QFETCH(QString, words);
        const auto complaint = QString::fromStdString(complaintOf(json.toUtf8().constData()));
        QVERIFY2(complaint.contains(words), qPrintable(complaint));
        QVERIFY(complaint.contains("resources/phrases/english-chinese.json"));
    }
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstPhraseBook)
#include "tst_phrase_book.moc"
