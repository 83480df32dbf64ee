#include "core/model/config/model_config.h"

#include "core/model/config/config_checks.h"
#include "core/model/config/size_report.h"
#include "core/model/positions/position_encodings.h"

#include <algorithm>

namespace headscope {

namespace {

// Products of these stay below 2^63 for every configuration: see size_report.cpp.
constexpr std::int64_t kMaxVocabulary = std::int64_t{1} << 24;
constexpr std::int64_t kMaxHeads = std::int64_t{1} << 12;
/// Limit of d_ff, and of the channels of all heads together.
constexpr std::int64_t kMaxInner = 16 * kMaxWidth;
constexpr std::int64_t kMaxLayers = 1024;
constexpr std::int64_t kMaxExperts = 1024;
constexpr std::int64_t kMaxExpertsOfAllLayers = std::int64_t{1} << 16;

/// Far more than any memory, so that the largest published models can be counted: requireMemory is
/// called before anything is allocated.
constexpr std::int64_t kMaxParameters = std::int64_t{1} << 40;

/// Text "4 or 8": the divisors of `number` on both sides of `near`.
std::string nearestDivisors(std::int64_t number, std::int64_t near)
{
    std::int64_t below = std::min(near, number);
    while (number % below != 0)
        --below;
    std::int64_t above = near;
    while (above < number && number % above != 0)
        ++above;
    return above >= number && near >= number ? fmt::format("{}", below)
                                             : fmt::format("{} or {}", below, above);
}

void checkExtents(const ModelConfig& c)
{
    checkRange("vocab_size", c.vocabularySize, 1, kMaxVocabulary);
    checkRange("d_model", c.dModel, 1, kMaxWidth);
    checkRange("n_heads", c.heads, 1, kMaxHeads);
    checkRange("n_kv_heads", c.keyHeads, 0, kMaxHeads);
    checkRange("head_dim", c.headDimension, 0, kMaxWidth);
    checkRange("n_layers", c.layers, 0, kMaxLayers);
    checkRange("n_decoder_layers", c.decoderLayers, 0, kMaxLayers);
    checkRange("d_ff", c.dFf, 0, kMaxInner);
    checkRange("max_len", c.maxLen, 1, kMaxPositions);
    checkRange("token_types", c.tokenTypes, 0, kMaxPositions);
    if (c.window)
        checkRange("window", *c.window, 1, kMaxPositions);
}

void checkNumbers(const ModelConfig& c)
{
    checkRange("sinusoidal_base", c.sinusoidalBase, 1.001, 1e12);
    checkRange("norm_epsilon", c.normEpsilon, 1e-30, 1.0);
    checkRange("soft_cap", c.softCap, 0.0, 1e6);
    checkRange("dropout", c.dropout, 0.0, 0.99);
    checkRange("attention_dropout", c.attentionDropout.value_or(0.0), 0.0, 0.99);
    checkRange("embedding_dropout", c.embeddingDropout.value_or(0.0), 0.0, 0.99);
    checkRange("embedding_scale", c.embeddingScale, -1e6, 1e6);
    checkRange("head_scale", c.headScale, -1e6, 1e6);
    checkRange("init_std", c.initStd, 0.0, 100.0);
}

void checkHeads(const ModelConfig& c)
{
    if (!c.isLatent() && c.headDimension == 0 && c.dModel % c.heads != 0)
        refuseConfig(
            fmt::format("n_heads is {}, which does not divide d_model ({})", c.heads, c.dModel),
            fmt::format("Set n_heads to {}, or set head_dim", nearestDivisors(c.dModel, c.heads)));
    if (c.heads % c.keyHeadCount() != 0)
        refuseConfig(fmt::format("n_kv_heads is {}, which does not divide n_heads ({})", c.keyHeads,
                                 c.heads),
                     fmt::format("Set n_kv_heads to {}", nearestDivisors(c.heads, c.keyHeads)));
    const std::int64_t widest = std::max(c.queryDim(), c.valueDim());
    if (widest > kMaxInner / c.heads)
        refuseConfig(fmt::format("{} heads of {} channels", c.heads, widest),
                     fmt::format("Keep n_heads * head_dim at or below {}", kMaxInner));
}

void checkLatent(const ModelConfig& c)
{
    const LatentSettings& latent = c.latent;
    checkRange("mla.kv_rank", latent.keyValueRank, 0, kMaxWidth);
    checkRange("mla.q_rank", latent.queryRank, 0, kMaxWidth);
    checkRange("mla.rope_dim", latent.ropeDim, 0, kMaxWidth);
    checkRange("mla.nope_dim", latent.nopeDim, 0, kMaxWidth);
    checkRange("mla.value_dim", latent.valueDim, 0, kMaxWidth);
    if (!c.isLatent()) {
        if (latent != LatentSettings{})
            refuseConfig("mla.kv_rank is 0, but other settings of mla are given",
                         fmt::format("Set mla.kv_rank to 1 or more, such as {}",
                                     std::max<std::int64_t>(1, c.dModel / 4)));
        return;
    }
    checkRange("mla.nope_dim", latent.nopeDim, 1, kMaxWidth);
    checkRange("mla.value_dim", latent.valueDim, 1, kMaxWidth);
    if (latent.ropeDim % 2 != 0)
        refuseConfig(
            fmt::format("mla.rope_dim is {}", latent.ropeDim),
            fmt::format("Use {}: channels are rotated in pairs", nearestEven(latent.ropeDim)));
    if (c.keyHeadCount() != c.heads)
        refuseConfig(
            fmt::format("n_kv_heads is {}, which latent attention does not use", c.keyHeads),
            fmt::format("Leave it out, or set it to {}: every head's keys come from the latent",
                        c.heads));
    if (c.headDimension != 0)
        refuseConfig(
            fmt::format("head_dim is {}, which latent attention does not use", c.headDimension),
            "Leave it out: mla.nope_dim, mla.rope_dim and mla.value_dim determine it");
    if (c.isEncoderDecoder())
        refuseConfig("latent attention is not available in an encoder-decoder",
                     "Set architecture to \"gpt\" or \"encoder\", or attention to \"mha\"");
    if (c.queryKeyValueBias.value_or(false))
        refuseConfig("qkv_bias is true, which latent attention does not use",
                     "Leave it out: the latent has no bias");
}

void checkFeedForward(const ModelConfig& c)
{
    checkRange("experts.count", c.experts.count, 0, kMaxExperts);
    checkRange("experts.balance_coefficient", c.experts.balanceCoefficient, 0.0, 1e3);
    checkRange("experts.top_k", c.experts.topK, 1, kMaxExperts);
    if (c.experts.count == 0)
        return;
    if (c.experts.topK > c.experts.count)
        refuseConfig(fmt::format("experts.top_k is {}, but there are {} experts", c.experts.topK,
                                 c.experts.count),
                     fmt::format("Use {} or less", c.experts.count));
    if (c.dFf == 0)
        refuseConfig(fmt::format("d_ff is 0, but there are {} experts", c.experts.count),
                     fmt::format("Set d_ff to {}, or leave out experts", 4 * c.dModel));
    const std::int64_t blocks = c.layers + (c.isEncoderDecoder() ? c.decoderLayerCount() : 0);
    if (c.experts.count * blocks > kMaxExpertsOfAllLayers)
        refuseConfig(
            fmt::format("{} blocks of {} experts", blocks, c.experts.count),
            fmt::format("Set experts.count to {} or less", kMaxExpertsOfAllLayers / blocks));
}

void checkStacks(const ModelConfig& c)
{
    const bool twoStacks = c.isEncoderDecoder();
    if (c.decoderLayers > 0 && !twoStacks)
        refuseConfig(fmt::format("n_decoder_layers is {}, but the model is not an encoder-decoder",
                                 c.decoderLayers),
                     "Set architecture to \"encoder-decoder\", or leave it out");
    if (c.shareSourceEmbedding && !twoStacks)
        refuseConfig("share_source_embedding is given, but the model is not an encoder-decoder",
                     "Set architecture to \"encoder-decoder\", or leave it out");
    if (c.tokenTypes > 0 && twoStacks)
        refuseConfig(fmt::format("token_types is {} in an encoder-decoder", c.tokenTypes),
                     "Set it to 0, or architecture to \"encoder\"");
    if (!c.isParallel())
        return;
    if (c.normPosition == NormPosition::Post)
        refuseConfig("parallel_residual is true and norm_position is \"post\"",
                     "Set norm_position to \"pre\": both halves of a block read the same residual "
                     "stream");
    if (twoStacks)
        refuseConfig("parallel_residual is true in an encoder-decoder",
                     "Set it to false: cross-attention reads the output of self-attention");
    if (c.dFf == 0)
        refuseConfig("parallel_residual is true and d_ff is 0",
                     fmt::format("Set d_ff to {}, or parallel_residual to false", 4 * c.dModel));
}

void checkOutputs(const ModelConfig& c)
{
    if (c.nextSentence && c.architecture != Architecture::Encoder)
        refuseConfig("next_sentence is true, but the model is not an encoder",
                     "Set architecture to \"encoder\", or next_sentence to false");
    if (c.headTransform && !c.languageHead)
        refuseConfig("head_transform is true and language_head is false",
                     "Set language_head to true, or head_transform to false");
    if (c.headBias && !c.languageHead)
        refuseConfig("head_bias is true and language_head is false",
                     "Set language_head to true, or head_bias to false");
    if (c.headTransform && c.isGated())
        refuseConfig("head_transform is true with a gated activation, but a single matrix has no "
                     "gate",
                     "Set activation to \"gelu\", or head_transform to false");
}

void checkSize(const ModelConfig& c)
{
    const std::int64_t parameters = countParameters(c).total();
    if (parameters > kMaxParameters)
        refuseConfig(fmt::format("the model has {} parameters", parameters),
                     fmt::format("Use fewer than {}", kMaxParameters));
}

} // namespace

void ModelConfig::validate() const
{
    checkExtents(*this);
    checkNumbers(*this);
    checkLatent(*this);
    checkHeads(*this);
    for (const PositionEncoding* encoding : positionEncodings())
        encoding->checkSettings(*this);
    encodingOf(*this).check(*this);
    checkFeedForward(*this);
    checkStacks(*this);
    checkOutputs(*this);
    checkSize(*this);
}

} // namespace headscope
