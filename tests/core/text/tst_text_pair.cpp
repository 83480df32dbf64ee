#include "core/text/text_pair.h"

#include "core/base/error.h"
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

} // namespace

class TstTextPair : public QObject
{
    Q_OBJECT

private slots:

    void theSecondTextAndItsEndAreSegmentOne()
    {
        const TokenSequence pair = encodePair(bert(), "the cats", "cat sat");
        QCOMPARE(pair.ids(), (std::vector<TokenId>{2, 5, 6, 7, 3, 6, 8, 3}));
        QCOMPARE(segmentsOf(pair), (std::vector<std::int32_t>{0, 0, 0, 0, 0, 1, 1, 1}));
        QCOMPARE(pair.text, std::string("the cats\ncat sat"));
        const ByteRange sat = pair.tokens[6].bytes;
        QCOMPARE(pair.text.substr(sat.begin, sat.end - sat.begin), std::string("sat"));
        QVERIFY(pair.tokens[7].special);
        QCOMPARE(pair.tokens[7].bytes, ByteRange{});
    }

    void emptyTextsKeepTheirPlaces()
    {
        const TokenSequence pair = encodePair(bert(), "", "");
        QCOMPARE(pair.ids(), (std::vector<TokenId>{2, 3, 3}));
        QCOMPARE(segmentsOf(pair), (std::vector<std::int32_t>{0, 0, 1}));
        QVERIFY(segmentsOf(bert().encode("the")).empty());
    }

    void aWrittenMarkPartsATextToo()
    {
        QCOMPARE(segmentsOf(bert().encode("the [SEP] cat [MASK] sat")),
                 (std::vector<std::int32_t>{0, 0, 0, 1, 1, 1, 1}));
        QVERIFY(segmentsOf(bert().encode("the [MASK] cat")).empty());
    }

    void writtenSpecialTokensStay()
    {
        const TokenSequence pair = encodePair(bert(), "the", "[CLS] cat");
        QCOMPARE(pair.ids(), (std::vector<TokenId>{2, 5, 3, 2, 6, 3}));
        QCOMPARE(segmentsOf(pair), (std::vector<std::int32_t>{0, 0, 0, 1, 1, 1}));
    }

    void aVocabularyWithoutMarksIsRefused()
    {
        constexpr std::string_view text = "the cat";
        BpeTrainerSettings settings;
        settings.vocabularySize = 260;
        const auto plain = trainBpe(std::span(&text, 1), settings);
        QVERIFY_EXCEPTION_THROWN(encodePair(*plain, "the", "cat"), Error);
    }
};

HEADSCOPE_TEST(TstTextPair)
#include "tst_text_pair.moc"
