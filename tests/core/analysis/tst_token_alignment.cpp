#include "core/analysis/derivation/token_alignment.h"

#include "core/base/random.h"
#include "core/text/tokenizers/id_tokenizer.h"
#include "core/text/tokenizers/wordpiece_tokenizer.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <bit>

using namespace headscope;

class TstTokenAlignment : public QObject
{
    Q_OBJECT

private slots:
    void equalTokensAreAligned();
    void theLongestCommonPartIsAligned();
    void noLongerCommonPartExists();
    void twoTokenizersAlignWhereTokensEnd();
    void vocabulariesAreComparedByTheirTexts();
};

void TstTokenAlignment::equalTokensAreAligned()
{
    const std::vector<TokenId> a{1, 2, 3, 4, 5};
    const std::vector<TokenId> b{1, 3, 9, 4, 5, 6};
    const std::vector<AlignedTokens> expected{{0, 0}, {1, {}}, {2, 1}, {{}, 2},
                                              {3, 3}, {4, 4},  {{}, 5}};
    QCOMPARE(alignTokens(a, b), expected);
    QVERIFY(alignTokens({}, {}).empty());
    QCOMPARE(alignTokens(a, a).size(), a.size());
    QCOMPARE(alignTokens(a, {}).size(), a.size());
}

void TstTokenAlignment::theLongestCommonPartIsAligned()
{
    const std::vector<AlignedTokens> expected{{0, {}}, {1, 0}, {2, 1}, {3, 2}, {{}, 3}};
    QCOMPARE(alignTokens(std::vector<TokenId>{5, 1, 2, 3}, std::vector<TokenId>{1, 2, 3, 5}),
             expected);
}

namespace {

/// Length of the longest common subsequence: every subsequence of `a` is tried.
std::size_t longestCommon(const std::vector<TokenId>& a, const std::vector<TokenId>& b)
{
    std::size_t longest = 0;
    for (std::uint32_t chosen = 0; chosen < std::uint32_t{1} << a.size(); ++chosen) {
        std::size_t count = 0;
        std::size_t at = 0;
        for (std::size_t i = 0; i < a.size() && at < b.size(); ++i) {
            if ((chosen >> i & 1U) == 0)
                continue;
            while (at < b.size() && b[at] != a[i])
                ++at;
            if (at++ < b.size())
                ++count;
        }
        if (count == static_cast<std::size_t>(std::popcount(chosen)))
            longest = std::max(longest, count);
    }
    return longest;
}

} // namespace

/// Both texts are whole and in order, and no more of their tokens could be aligned.
void TstTokenAlignment::noLongerCommonPartExists()
{
    Random random(5);
    for (int round = 0; round < 300; ++round) {
        std::vector<TokenId> a(random.below(9));
        std::vector<TokenId> b(random.below(9));
        for (std::vector<TokenId>* text : {&a, &b})
            for (TokenId& id : *text)
                id = static_cast<TokenId>(random.below(3));
        std::size_t aligned = 0;
        int ofA = 0;
        int ofB = 0;
        for (const AlignedTokens& line : alignTokens(a, b)) {
            QVERIFY(line.a || line.b);
            QCOMPARE(line.a.value_or(ofA), ofA);
            QCOMPARE(line.b.value_or(ofB), ofB);
            if (line.a && line.b) {
                QCOMPARE(a[static_cast<std::size_t>(ofA)], b[static_cast<std::size_t>(ofB)]);
                ++aligned;
            }
            ofA += line.a ? 1 : 0;
            ofB += line.b ? 1 : 0;
        }
        QCOMPARE(static_cast<std::size_t>(ofA), a.size());
        QCOMPARE(static_cast<std::size_t>(ofB), b.size());
        QCOMPARE(aligned, longestCommon(a, b));
    }
}

namespace {

TokenSequence cut(const std::string& text, const std::vector<std::size_t>& ends)
{
    TokenSequence tokens;
    tokens.text = text;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        tokens.tokens.push_back({static_cast<TokenId>(7 * end), {begin, end}, false});
        begin = end;
    }
    return tokens;
}

} // namespace

void TstTokenAlignment::twoTokenizersAlignWhereTokensEnd()
{
    const TokenSequence whole = cut("the cat sat", {3, 7, 11});
    const TokenSequence pieces = cut("the cat sat", {3, 5, 7, 8, 11});
    QVERIFY(alignmentKind(whole, pieces, true) == AlignmentKind::Ids);
    QVERIFY(alignmentKind(whole, pieces, false) == AlignmentKind::Ends);
    const std::vector<AlignedTokens> expected{{0, 0}, {{}, 1}, {1, 2}, {{}, 3}, {2, 4}};
    QCOMPARE(alignTokens(whole, pieces, AlignmentKind::Ends), expected);
    const TokenSequence other = cut("a cat sat", {1, 5, 9});
    QVERIFY(alignmentKind(whole, other, false) == AlignmentKind::Texts);
    const std::vector<AlignedTokens> byText{{0, {}}, {{}, 0}, {1, 1}, {2, 2}};
    QCOMPARE(alignTokens(whole, other, AlignmentKind::Texts), byText);
    TokenSequence marked = whole;
    marked.tokens.insert(marked.tokens.begin(), Token{99, {0, 0}, true});
    TokenSequence alsoMarked = pieces;
    alsoMarked.tokens.insert(alsoMarked.tokens.begin(), Token{4, {0, 0}, true});
    QCOMPARE(alignTokens(marked, alsoMarked, AlignmentKind::Ends).front(), (AlignedTokens{0, 0}));
}

void TstTokenAlignment::vocabulariesAreComparedByTheirTexts()
{
    const IdTokenizer five(5);
    QVERIFY(haveSameVocabulary(five, five));
    QVERIFY(haveSameVocabulary(five, IdTokenizer(5)));
    QVERIFY(!haveSameVocabulary(five, IdTokenizer(6)));
    QVERIFY(!haveSameVocabulary(IdTokenizer(6), five));
    const WordPieceTokenizer words(bertVocabulary({"[UNK]", "[CLS]", "[SEP]", "[PAD]", "cat"}));
    QVERIFY(!haveSameVocabulary(five, words));
}

HEADSCOPE_TEST(TstTokenAlignment)
#include "tst_token_alignment.moc"
