#include "core/text/mask_token.h"

#include "core/base/error.h"
#include "core/text/tokenizers/bpe_tokenizer.h"
#include "core/text/tokenizers/wordpiece_tokenizer.h"
#include "core/text/training/bpe_trainer.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

namespace {

WordPieceTokenizer bert()
{
    return WordPieceTokenizer(
        bertVocabulary({"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "##s", "sat"}));
}

/// Bytes are tokens, and "[MASK]" takes the space before it.
BpeTokenizer bytes()
{
    BpeTrainerSettings settings;
    settings.vocabularySize = 258;
    settings.specialTokens = {"[MASK]"};
    BpeVocabulary vocabulary = trainBpeOnLines("the cat sat on the mat", settings)->vocabulary();
    vocabulary.addedTokens.front().takesSpaceBefore = true;
    return BpeTokenizer(std::move(vocabulary));
}

std::string edited(const std::string& text, const TextEdit& edit)
{
    std::string changed = text;
    changed.replace(edit.bytes.begin, edit.bytes.end - edit.bytes.begin, edit.text);
    return changed;
}

} // namespace

class TstMaskToken : public QObject
{
    Q_OBJECT

private slots:

    void itIsFoundByItsName()
    {
        QCOMPARE(maskToken(bert()), std::optional<TokenId>(4));
        QCOMPARE(bytes().tokenText(*maskToken(bytes())), std::string("[MASK]"));
        BpeTrainerSettings none;
        none.vocabularySize = 257;
        QCOMPARE(maskToken(*trainBpeOnLines("aa aa aa", none)), std::nullopt);
        QVERIFY_EXCEPTION_THROWN(maskedEdit({}, {0, 0}, *trainBpeOnLines("aa aa aa", none)), Error);
    }

    void aMaskKeepsTheSpaceOfItsWord()
    {
        const WordPieceTokenizer tokenizer = bert();
        const TokenSequence text = tokenizer.encode("the cat sat");
        QCOMPARE(edited(text.text, maskedEdit(text, text.tokens[2].bytes, tokenizer)),
                 std::string("the [MASK] sat"));
        const BpeTokenizer spaced = bytes();
        TokenSequence typed;
        typed.text = "the cat";
        QCOMPARE(edited(typed.text, maskedEdit(typed, {3, 7}, spaced)), std::string("the [MASK]"));
    }

    void wordPiecesAreWrittenWithOrWithoutASpace()
    {
        const WordPieceTokenizer tokenizer = bert();
        const TokenSequence text = tokenizer.encode("the [MASK] sat");
        const ByteRange mask = text.tokens[2].bytes;
        QCOMPARE(edited(text.text, filledEdit(text, mask, 6, tokenizer)),
                 std::string("the cat sat"));
        QCOMPARE(edited(text.text, filledEdit(text, mask, 7, tokenizer)), // ##s
                 std::string("thes sat"));
        const TokenSequence joined = tokenizer.encode("the[MASK]");
        QCOMPARE(edited(joined.text, filledEdit(joined, joined.tokens[2].bytes, 6, tokenizer)),
                 std::string("the cat"));
    }

    /// A token of a byte-level vocabulary contains its own space.
    void bytesAreWrittenAsTheyAre()
    {
        const BpeTokenizer tokenizer = bytes();
        const TokenSequence text = tokenizer.encode("on [MASK] mat", false);
        std::size_t mask = 0;
        while (text.tokens[mask].id != *maskToken(tokenizer))
            ++mask;
        QCOMPARE(text.text.substr(text.tokens[mask].bytes.begin, 7), std::string(" [MASK]"));
        const auto written = [&](const std::string& word) {
            return edited(text.text,
                          filledEdit(text, text.tokens[mask].bytes,
                                     tokenizer.encode(word, false).ids().front(), tokenizer));
        };
        QCOMPARE(written("a"), std::string("ona mat"));
        QCOMPARE(written(" "), std::string("on  mat"));
    }
};

HEADSCOPE_TEST(TstMaskToken)
#include "tst_mask_token.moc"
