#include "core/generate/mask_filling.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/model/pass/input_tokens.h"
#include "core/text/tokenizers/wordpiece_tokenizer.h"
#include "core/text/training/bpe_trainer.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;

namespace {

LoadedModel encoder(std::int64_t tokenTypes = 2)
{
    const auto tokenizer = std::make_shared<const WordPieceTokenizer>(bertVocabulary(
        {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "dog", "sat", "ran"}));
    ModelConfig config;
    config.architecture = Architecture::Encoder;
    config.vocabularySize = static_cast<std::int64_t>(tokenizer->vocabularySize());
    config.dModel = 16;
    config.heads = 2;
    config.layers = 2;
    config.dFf = 32;
    config.maxLen = 16;
    config.initStd = 0.3;
    config.tokenTypes = tokenTypes;
    return {"encoder", std::make_shared<const Model>(Model::initialised(config, 7)), tokenizer};
}

GenerationSettings greedy()
{
    GenerationSettings settings;
    settings.sampling.temperature = 0.0;
    return settings;
}

/// Logits of one position, by a forward pass of its own.
std::vector<float> logitsAt(const LoadedModel& model, const std::vector<TokenId>& ids,
                            const std::vector<std::int32_t>& segments, std::int64_t position)
{
    CpuAttention backend;
    KvCache cache(model.model->config());
    ForwardOptions options;
    options.segments = segments;
    const Tensor logits = model.model->forward(ids, backend, cache, options);
    const TensorView row = logits.view()[position];
    return {row.data, row.data + row.shape[0]};
}

TokenId largest(const std::vector<float>& logits)
{
    return static_cast<TokenId>(std::ranges::max_element(logits) - logits.begin());
}

} // namespace

class TstMaskFilling : public QObject
{
    Q_OBJECT

private slots:

    void masksAreFilledFromLeftToRight()
    {
        const LoadedModel model = encoder();
        CpuAttention backend;
        const TokenSequence text = model.tokenizer->encode("the [MASK] [MASK]");
        const FilledText filled = fillMasks(model, backend, text, greedy());
        std::vector<TokenId> ids = text.ids();
        QCOMPARE(filled.masks.size(), std::size_t{2});
        QCOMPARE(filled.remaining, 0);
        for (const FilledMask& mask : filled.masks) {
            const std::vector<float> logits = logitsAt(model, ids, {}, mask.position);
            QCOMPARE(ids[static_cast<std::size_t>(mask.position)], TokenId{4});
            QCOMPARE(mask.step.id, largest(logits));
            ids[static_cast<std::size_t>(mask.position)] = mask.step.id;
        }
        QVERIFY(filled.masks[0].position < filled.masks[1].position);
        QCOMPARE(filled.ids, ids);
    }

    void candidatesAreTheSoftmaxOfTheLogits()
    {
        const LoadedModel model = encoder();
        CpuAttention backend;
        const TokenSequence text = model.tokenizer->encode("the [MASK] sat");
        const FilledText filled = fillMasks(model, backend, text, {});
        const std::vector<float> logits = logitsAt(model, text.ids(), {}, 2);
        double sum = 0.0;
        for (const float logit : logits)
            sum += std::exp(static_cast<double>(logit));
        for (const Candidate& candidate : filled.masks.front().step.candidates) {
            const auto logit = static_cast<double>(logits[static_cast<std::size_t>(candidate.id)]);
            QVERIFY(std::abs(candidate.probability - std::exp(logit) / sum) < 1e-5);
        }
    }

    void aPairHasItsSegments()
    {
        const LoadedModel model = encoder();
        CpuAttention backend;
        QVERIFY(readsPairs(model));
        const TokenSequence pair = inputTokens(model, "the [MASK]", "dog ran");
        QCOMPARE(pair.ids(), (std::vector<TokenId>{2, 5, 4, 3, 7, 9, 3}));
        const FilledText filled = fillMasks(model, backend, pair, greedy());
        QCOMPARE(filled.masks.front().step.id,
                 largest(logitsAt(model, pair.ids(), {0, 0, 0, 0, 1, 1, 1}, 2)));
        const LoadedModel oneType = encoder(1); // has no second segment
        QCOMPARE(fillMasks(oneType, backend, pair, greedy()).masks.front().step.id,
                 largest(logitsAt(oneType, pair.ids(), {}, 2)));
        QVERIFY(!readsPairs(encoder(0)));
        QCOMPARE(inputTokens(encoder(0), "the cat", "dog ran").size(), std::size_t{4});
        QCOMPARE(inputTokens(model, "the cat", "").size(), std::size_t{4});
    }

    /// A word after the separator is the same token as in running text, and keeps its own bytes.
    void aByteLevelPairContinuesTheText()
    {
        BpeTrainerSettings settings;
        settings.vocabularySize = 260 + 12;
        settings.specialTokens = {"[PAD]", "[CLS]", "[SEP]", "[MASK]"};
        BpeVocabulary vocabulary =
            trainBpeOnLines("the cat ran\nthe cat ran\na cat ran", settings)->vocabulary();
        vocabulary.textPrefix = {1};
        vocabulary.textSuffix = {2};
        const BpeTokenizer tokenizer{std::move(vocabulary)};
        const TokenSequence pair = pairTokens(tokenizer, "the", "cat ran");
        QCOMPARE(pair.text, std::string("the\ncat ran"));
        std::vector<TokenId> ids{1};
        for (const char* part : {"the", " cat ran"}) {
            for (const TokenId id : tokenizer.encode(part, false).ids())
                ids.push_back(id);
            ids.push_back(2);
        }
        QCOMPARE(pair.ids(), ids);
        std::string bytes;
        for (const Token& token : pair.tokens)
            bytes += pair.text.substr(token.bytes.begin, token.bytes.end - token.bytes.begin);
        QCOMPARE(bytes, std::string("thecat ran"));
        QCOMPARE(pairTokens(tokenizer, "the", " cat ran").ids(), ids);
    }

    void itStopsAfterMaxTokens()
    {
        CpuAttention backend;
        GenerationSettings settings = greedy();
        settings.maxTokens = 1;
        const LoadedModel model = encoder();
        const FilledText filled =
            fillMasks(model, backend, model.tokenizer->encode("[MASK] [MASK] [MASK]"), settings);
        QCOMPARE(filled.masks.size(), std::size_t{1});
        QCOMPARE(filled.remaining, 2);
    }

    void whatCannotBeFilledIsRefused()
    {
        CpuAttention backend;
        LoadedModel model = encoder();
        QVERIFY_EXCEPTION_THROWN(
            fillMasks(model, backend, model.tokenizer->encode("the cat"), greedy()), Error);
        ModelConfig config = model.model->config();
        config.languageHead = false;
        model.model = std::make_shared<const Model>(Model::initialised(config, 7));
        QVERIFY_EXCEPTION_THROWN(
            fillMasks(model, backend, model.tokenizer->encode("[MASK]"), greedy()), Error);
        config = ModelConfig();
        config.vocabularySize = 10;
        config.dModel = 16;
        config.heads = 2;
        config.layers = 1;
        config.maxLen = 16;
        model.model = std::make_shared<const Model>(Model::initialised(config, 7));
        QVERIFY_EXCEPTION_THROWN(
            fillMasks(model, backend, model.tokenizer->encode("[MASK]"), greedy()), Error);
    }
};

HEADSCOPE_TEST(TstMaskFilling)
#include "tst_mask_filling.moc"
