#include "core/analysis/heads/token_groups.h"
#include "core/base/error.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

namespace {

/// Tokens that follow one another in the text; a special one takes no bytes.
TokenSequence pieces(const std::vector<std::string>& texts)
{
    TokenSequence tokens;
    for (const std::string& text : texts) {
        const bool special = text.starts_with('[');
        const std::size_t begin = tokens.text.size();
        if (!special)
            tokens.text += text;
        tokens.tokens.push_back({1, {begin, tokens.text.size()}, special});
    }
    return tokens;
}

Tensor patternOf(std::vector<float> values, std::int64_t rows, std::int64_t columns)
{
    Tensor pattern({rows, columns});
    std::copy(values.begin(), values.end(), pattern.view().data);
    return pattern;
}

} // namespace

class TstTokenGroups : public QObject
{
    Q_OBJECT

private slots:

    void wordsBeginAtWhiteSpace()
    {
        const TokenSequence tokens =
            pieces({"[CLS]", "un", "believ", "able", " cat", " sat", "s", "[SEP]"});
        const std::vector<TokenGroup> expected{{0}, {1, 2, 3}, {4}, {5, 6}, {7}};
        QCOMPARE(wordGroups(tokens), expected);
        const std::vector<TokenGroup> hidden{{1, 2, 3}, {4}, {5, 6}};
        QCOMPARE(wordGroups(tokens, {.special = true}), hidden);
    }

    void whiteSpaceBetweenTokensCounts()
    {
        TokenSequence tokens; // WordPiece: no token holds the space
        tokens.text = "a bc d";
        tokens.tokens = {
            {1, {0, 1}, false}, {2, {2, 3}, false}, {3, {3, 4}, false}, {4, {5, 6}, false}};
        const std::vector<TokenGroup> expected{{0}, {1, 2}, {3}};
        QCOMPARE(wordGroups(tokens), expected);
    }

    void whiteSpaceBeforeBytesOfNoTokenCounts()
    {
        TokenSequence tokens;
        tokens.text = "a -b"; // the sign is in no token
        tokens.tokens = {{1, {0, 1}, false}, {2, {3, 4}, false}};
        QCOMPARE(wordGroups(tokens), (std::vector<TokenGroup>{{0}, {1}}));
        tokens.text = "a--b";
        QCOMPARE(wordGroups(tokens), (std::vector<TokenGroup>{{0, 1}}));
    }

    void sumsKeepRowsWhole()
    {
        const Tensor pattern =
            patternOf({1.0F, 0.0F, 0.0F, 0.25F, 0.75F, 0.0F, 0.5F, 0.125F, 0.375F}, 3, 3);
        const std::vector<TokenGroup> groups{{0}, {1, 2}};
        const Tensor sum = groupedPattern(pattern.view(), groups, groups, KeyMerge::Sum, false);
        QCOMPARE(sum.view()(0, 0), 1.0F);
        QCOMPARE(sum.view()(1, 0), 0.375F);
        QCOMPARE(sum.view()(1, 1), 0.625F);
        const Tensor mean = groupedPattern(pattern.view(), groups, groups, KeyMerge::Mean, false);
        QCOMPARE(mean.view()(1, 1), 0.3125F);
    }

    void hiddenTokensAreCountedAndRowsRenormalised()
    {
        const Tensor pattern = patternOf({1.0F, 0.0F, 0.75F, 0.25F}, 2, 2);
        const std::vector<TokenGroup> kept{{1}};
        QCOMPARE(massOutside(pattern.view(), kept, kept), 0.75);
        const Tensor shown = groupedPattern(pattern.view(), kept, kept, KeyMerge::Sum, true);
        QCOMPARE(shown.view()(0, 0), 1.0F);
    }

    void theFirstTokenIsHiddenWhateverItIs()
    {
        const TokenSequence plain = pieces({"un", "able", " cat"});
        QCOMPARE(singleTokens(plain, {.first = true}), (std::vector<TokenGroup>{{1}, {2}}));
        QCOMPARE(wordGroups(plain, {.first = true}), (std::vector<TokenGroup>{{1}, {2}}));
        QCOMPARE(singleTokens(plain, {.special = true}).size(), 3U); // none to hide
        const TokenSequence marked = pieces({"[CLS]", "a", " b", "[SEP]"});
        QCOMPARE(singleTokens(marked, {.first = true}), (std::vector<TokenGroup>{{1}, {2}, {3}}));
        QCOMPARE(singleTokens(marked, {.special = true, .first = true}),
                 (std::vector<TokenGroup>{{1}, {2}}));
        QVERIFY(singleTokens(pieces({"a"}), {.first = true}).empty());
    }

    void turnsOfAChatStayApart()
    {
        TokenSequence chat = pieces({"[INST]", "un", "able", "[/INST]"});
        for (Token& token : chat.tokens) {
            token.special = false;
            token.turn = kTemplateTurn;
        }
        chat.tokens[1].turn = chat.tokens[2].turn = 0;
        QCOMPARE(wordGroups(chat), (std::vector<TokenGroup>{{0}, {1, 2}, {3}}));
        QCOMPARE(wordGroups(chat, {.chatTemplate = true}), (std::vector<TokenGroup>{{1, 2}}));
        QCOMPARE(singleTokens(chat, {.chatTemplate = true}), (std::vector<TokenGroup>{{1}, {2}}));
        QCOMPARE(singleTokens(chat, {.special = true}).size(), 4U);
        QVERIFY(HiddenTokens{.chatTemplate = true}.any());
        const TokenSequence plain = pieces({"un", "able"});
        QCOMPARE(singleTokens(plain, {.chatTemplate = true}).size(), 2U);
    }

    void rowsWithTooLittleLeftStayEmpty()
    {
        const Tensor pattern = patternOf({1.0F, 0.0F, 0.0F, //
                                          0.995F, 0.004F, 0.001F, 0.5F, 0.125F, 0.375F},
                                         3, 3);
        const std::vector<TokenGroup> rows{{0}, {1}, {2}};
        const std::vector<TokenGroup> kept{{1}, {2}};
        QCOMPARE(faintRows(pattern.view(), rows, kept), (std::vector<bool>{true, true, false}));
        const Tensor shown = groupedPattern(pattern.view(), rows, kept, KeyMerge::Sum, true);
        QCOMPARE(shown.view()(1, 0), 0.0F);
        QCOMPARE(shown.view()(1, 1), 0.0F);
        QCOMPARE(shown.view()(2, 0), 0.25F);
        QCOMPARE(shown.view()(2, 1), 0.75F);
        const Tensor off = patternOf({0.0F, 0.0F}, 1, 2); // a head that is switched off
        QCOMPARE(faintRows(off.view(), {{0}}, {{1}}), std::vector<bool>{false});
    }

    void strangersAreRefused()
    {
        const Tensor pattern = patternOf({1.0F}, 1, 1);
        QVERIFY_EXCEPTION_THROWN(groupedPattern(pattern.view(), {{1}}, {{0}}, KeyMerge::Sum, false),
                                 ShapeError);
        QVERIFY_EXCEPTION_THROWN(groupedPattern(pattern.view(), {{}}, {{0}}, KeyMerge::Sum, false),
                                 ShapeError);
    }
};

HEADSCOPE_TEST(TstTokenGroups)
#include "tst_token_groups.moc"
