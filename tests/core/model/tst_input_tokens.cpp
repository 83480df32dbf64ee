#include "core/model/pass/input_tokens.h"
#include "core/text/tokenizers/wordpiece_tokenizer.h"
#include "core/text/training/bpe_trainer.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

namespace {

std::shared_ptr<const Tokenizer> bert()
{
    return std::make_shared<const WordPieceTokenizer>(
        bertVocabulary({"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat"}));
}

/// Adds so many special tokens before and after a text.
std::shared_ptr<const Tokenizer> surrounding(std::size_t before, std::size_t after)
{
    BpeTrainerSettings settings;
    settings.vocabularySize = 260;
    settings.specialTokens = {"[CLS]"};
    BpeVocabulary vocabulary = trainBpeOnLines("a", settings)->vocabulary();
    const TokenId mark = *BpeTokenizer(vocabulary).find("[CLS]");
    vocabulary.textPrefix.assign(before, mark);
    vocabulary.textSuffix.assign(after, mark);
    return std::make_shared<const BpeTokenizer>(std::move(vocabulary));
}

bool reads(const std::shared_ptr<const Tokenizer>& tokenizer,
           Architecture architecture = Architecture::Encoder, std::int64_t tokenTypes = 2)
{
    ModelConfig config = test::smallConfig();
    config.architecture = architecture;
    config.tokenTypes = tokenTypes;
    return readsPairs(
        {"m", std::make_shared<const Model>(Model::initialised(config, 1)), tokenizer});
}

} // namespace

class TstInputTokens : public QObject
{
    Q_OBJECT

private slots:

    void pairsNeedTwoSegmentsAndMarksAroundAText()
    {
        QVERIFY(reads(bert()));
        QVERIFY(!reads(bert(), Architecture::Encoder, 1));
        QVERIFY(!reads(bert(), Architecture::Decoder));
        QVERIFY(!reads(nullptr));
        QVERIFY(!readsPairs({"m", nullptr, bert()}));
        QVERIFY(reads(surrounding(1, 1)));
        QVERIFY(!reads(surrounding(0, 0)));
        QVERIFY(!reads(surrounding(1, 0)));
    }
};

HEADSCOPE_TEST(TstInputTokens)
#include "tst_input_tokens.moc"
