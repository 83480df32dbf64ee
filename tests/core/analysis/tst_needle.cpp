#include "core/analysis/scores/needle.h"

#include "core/analysis/scores/head_table.h"
#include "tests/core/analysis/made_heads.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>

using namespace headscope;
using namespace headscope::test;

namespace {

/// 20 tokens: the needle 7 8 9 7 6 at 3 and again at 14; others differ from each other.
const std::vector<TokenId> kIds{20, 21, 22, 7,  8, 9, 7, 6, 23, 24,
                                25, 26, 27, 28, 7, 8, 9, 7, 6,  29};
constexpr std::int64_t kOriginal = 3;
constexpr std::int64_t kCopy = 14;

/// All to the first token, but for the given keys of some queries.
Tensor headWith(const std::map<std::int64_t, std::int64_t>& keys)
{
    return patternOf(static_cast<std::int64_t>(kIds.size()), [&](std::int64_t i, std::int64_t j) {
        const auto key = keys.find(i);
        return j == (key == keys.end() ? 0 : key->second) ? 1.0 : 0.0;
    });
}

double retrievalOf(const Tensor& pattern, const std::vector<TokenId>& ids = kIds)
{
    return scoreTrace(traceOf({pattern}, ids))
        .at(AttentionKind::Self)
        .at(0, 0, HeadScore::Retrieval);
}

TokenSequence sequenceOf(const std::vector<TokenId>& ids)
{
    TokenSequence tokens;
    for (const TokenId id : ids)
        tokens.tokens.push_back({id, {}, false});
    return tokens;
}

} // namespace

class TstNeedle : public QObject
{
    Q_OBJECT

private slots:

    void theNeedleIsTheLongestRepeatedSpan_data()
    {
        QTest::addColumn<QList<int>>("ids");
        QTest::addColumn<int>("original");
        QTest::addColumn<int>("copy");
        QTest::addColumn<int>("size");
        QTest::newRow("once in a text") << QList<int>(kIds.begin(), kIds.end()) << 3 << 14 << 5;
        QTest::newRow("the longer of two")
            << QList<int>{1, 2, 3, 9, 4, 5, 6, 7, 1, 2, 3, 8, 4, 5, 6, 7} << 4 << 12 << 4;
        QTest::newRow("two texts side by side")
            << QList<int>{1, 2, 3, 4, 1, 2, 3, 4} << 0 << 4 << 4;
        QTest::newRow("no overlap") << QList<int>{1, 1, 1, 1, 1, 1, 1} << 1 << 4 << 3;
        QTest::newRow("last copy, nearest original")
            << QList<int>{1, 2, 3, 0, 1, 2, 3, 9, 1, 2, 3} << 4 << 8 << 3;
        QTest::newRow("two tokens are none") << QList<int>{1, 2, 5, 1, 2} << -1 << -1 << 0;
        QTest::newRow("empty") << QList<int>{} << -1 << -1 << 0;
    }

    void theNeedleIsTheLongestRepeatedSpan()
    {
        QFETCH(const QList<int>, ids);
        QFETCH(const int, original);
        QFETCH(const int, copy);
        QFETCH(const int, size);
        const std::vector<TokenId> tokens(ids.begin(), ids.end());
        const auto needle = findNeedle(tokens);
        QCOMPARE(needle.has_value(), size > 0);
        if (!needle)
            return;
        QCOMPARE(needle->original, std::int64_t{original});
        QCOMPARE(needle->copy, std::int64_t{copy});
        QCOMPARE(std::ssize(needle->tokens), std::ptrdiff_t{size});
        for (int index = 0; index < size; ++index)
            QCOMPARE(needle->tokens[static_cast<std::size_t>(index)],
                     tokens[static_cast<std::size_t>(copy + index)]);
    }

    void specialTokensAndTemplatesAreNoNeedle()
    {
        TokenSequence tokens = sequenceOf({1, 2, 3, 4, 5, 1, 2, 3});
        QVERIFY(findNeedle(tokens).has_value());
        tokens.tokens[6].special = true;
        QVERIFY(!findNeedle(tokens).has_value());
        tokens.tokens[6].special = false;
        tokens.tokens[1].turn = kTemplateTurn;
        QVERIFY(!findNeedle(tokens).has_value());
    }

    /// Closed forms: 4 of the 5 tokens of the copy count, each predicted by the query before it.
    void theScoreIsTheFractionOfCopiedTokens()
    {
        std::map<std::int64_t, std::int64_t> keys;
        for (std::int64_t index = 1; index < 5; ++index)
            keys[kCopy + index - 1] = kOriginal + index;
        QCOMPARE(retrievalOf(headWith(keys)), 1.0); // retrieves all of the needle
        keys[kCopy + 1] = 0;
        QCOMPARE(retrievalOf(headWith(keys)), 0.75); // one query attends to the first token
        keys[kCopy + 2] = kOriginal + 1;
        QCOMPARE(retrievalOf(headWith(keys)), 0.5); // and one to another token of the needle
        keys[kCopy + 2] = kOriginal;                // the same token at another place of the needle
        QCOMPARE(retrievalOf(headWith(keys)), 0.75);
        keys[kCopy + 2] = kCopy; // the same token, outside of the needle
        QCOMPARE(retrievalOf(headWith(keys)), 0.5);
    }

    void headsThatDoNotLookTheNextTokenUpScoreZero()
    {
        const auto tokens = static_cast<std::int64_t>(kIds.size());
        QCOMPARE(retrievalOf(allToFirst(tokens)), 0.0);
        QCOMPARE(retrievalOf(uniformCausal(tokens)), 0.0); // the largest weight is a tie
        const Tensor duplicate = patternOf(tokens, [](std::int64_t i, std::int64_t j) {
            return j == (i >= kCopy ? i - kCopy + kOriginal : i) ? 1.0 : 0.0;
        });
        QCOMPARE(retrievalOf(duplicate), 0.0); // attends to the token's copy, not to what follows
    }

    /// What counts is the largest weight, not how large it is.
    void aWeakMaximumCountsAndATieDoesNot()
    {
        const auto head = [](double first) {
            return patternOf(static_cast<std::int64_t>(kIds.size()),
                             [first](std::int64_t i, std::int64_t j) {
                                 if (j == 0)
                                     return first;
                                 return i >= kCopy && j == i - kCopy + kOriginal + 1 ? 0.25 : 0.0;
                             });
        };
        QCOMPARE(retrievalOf(head(0.125)), 1.0);
        QCOMPARE(retrievalOf(head(0.25)), 0.0);
        QCOMPARE(retrievalOf(head(0.5)), 0.0);
    }

    /// A perfect induction head on random repeats retrieves the whole second round.
    void aPerfectInductionHeadRetrieves()
    {
        const std::int64_t period = 16;
        std::vector<TokenId> ids;
        for (std::int64_t index = 0; index < 2 * period; ++index)
            ids.push_back(static_cast<TokenId>((5 * index) % period));
        const Tensor induction = patternOf(2 * period, [&](std::int64_t i, std::int64_t j) {
            return j == (i < period ? 0 : i - period + 1) ? 1.0 : 0.0;
        });
        QCOMPARE(retrievalOf(induction, ids), 1.0);
    }

    void aTextWithoutANeedleSaysHowToGetOne()
    {
        const std::vector<TokenId> ids{1, 2, 1, 2};
        const HeadScoreTables tables = scoreTrace(traceOf({uniformCausal(4)}, ids));
        const HeadScoreTable& table = tables.at(AttentionKind::Self);
        QVERIFY(!table.has(HeadScore::Retrieval));
        QVERIFY(table.has(HeadScore::InductionOnText));
        QVERIFY(table.why(HeadScore::Retrieval).find("Repeat a sentence") != std::string::npos);
    }

    void aSentenceOfTheTextIsRepeatedAtItsEnd_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("depth");
        QTest::addColumn<QString>("needle");
        QTest::newRow("first") << "One. Two! Three? Four." << 0.0 << "One.";
        QTest::newRow("middle") << "One. Two! Three? Four." << 0.5 << "Two!";
        QTest::newRow("the last but one") << "One. Two! Three? Four." << 1.0 << "Three?";
        QTest::newRow("a single sentence") << "No end mark" << 0.5 << "No end mark";
        QTest::newRow("lines") << "alpha beta\ngamma\ndelta" << 1.0 << "gamma";
        QTest::newRow("Chinese") << "\u732b\u5728\u57ab\u5b50\u4e0a\u3002\u72d7\u8dd1\u4e86\u3002"
                                 << 0.0 << "\u732b\u5728\u57ab\u5b50\u4e0a\u3002";
    }

    void aSentenceOfTheTextIsRepeatedAtItsEnd()
    {
        QFETCH(const QString, text);
        QFETCH(const double, depth);
        QFETCH(const QString, needle);
        QCOMPARE(QString::fromStdString(withNeedle(text.toStdString(), depth)),
                 text + ' ' + needle);
        QVERIFY(withNeedle(" \n", depth).empty());
    }
};

HEADSCOPE_TEST(TstNeedle)
#include "tst_needle.moc"
