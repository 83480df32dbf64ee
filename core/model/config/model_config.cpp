#include "core/model/config/model_config.h"

#include "core/base/error.h"
#include "core/model/config/size_report.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

// Products of these stay below 2^63, whatever a configuration says: see size_report.cpp.
constexpr std::int64_t kMaxVocabulary = std::int64_t{1} << 24;
constexpr std::int64_t kMaxWidth = std::int64_t{1} << 17;
constexpr std::int64_t kMaxHeads = std::int64_t{1} << 12;
constexpr std::int64_t kMaxInner = 16 * kMaxWidth; ///< d_ff, and channels of all heads together
constexpr std::int64_t kMaxLayers = 1024;
constexpr std::int64_t kMaxExperts = 1024;
constexpr std::int64_t kMaxExpertsOfAllLayers = std::int64_t{1} << 16;
constexpr std::int64_t kMaxPositions = std::int64_t{1} << 20;

/// Far above what memory holds, so that the largest published models can be counted: requireMemory
/// asks before anything is allocated.
constexpr std::int64_t kMaxParameters = std::int64_t{1} << 40;

[[noreturn]] void refuse(const std::string& problem, const std::string& advice)
{
    throw Error(problem, "model configuration", advice);
}

void checkRange(const char* field, std::int64_t value, std::int64_t low, std::int64_t high)
{
    if (value < low || value > high)
        refuse(fmt::format("{} is {}", field, value),
               fmt::format("Give a whole number from {} to {}", low, high));
}

void checkRange(const char* field, double value, double low, double high)
{
    if (!(value >= low && value <= high))
        refuse(fmt::format("{} is {}", field, value),
               fmt::format("Give a number from {} to {}", low, high));
}

/// "4 or 8": the divisors of `number` on both sides of `near`.
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

/// "4 or 6" around an odd number that should be even.
std::string nearestEven(std::int64_t odd)
{
    return odd > 1 ? fmt::format("{} or {}", odd - 1, odd + 1) : fmt::format("{}", odd + 1);
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
        refuse(fmt::format("n_heads is {} and d_model is {}, which it does not divide", c.heads,
                           c.dModel),
               fmt::format("Give n_heads {}, or a head_dim", nearestDivisors(c.dModel, c.heads)));
    if (c.heads % c.keyHeadCount() != 0)
        refuse(fmt::format("n_kv_heads is {} and n_heads is {}, which it does not divide",
                           c.keyHeads, c.heads),
               fmt::format("Give n_kv_heads {}", nearestDivisors(c.heads, c.keyHeads)));
    const std::int64_t widest = std::max(c.queryDim(), c.valueDim());
    if (widest > kMaxInner / c.heads)
        refuse(fmt::format("{} heads of {} channels", c.heads, widest),
               fmt::format("Give n_heads * head_dim up to {}", kMaxInner));
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
            refuse("mla.kv_rank is 0 where other settings of mla are given",
                   fmt::format("Give mla.kv_rank 1 or more, such as {}",
                               std::max<std::int64_t>(1, c.dModel / 4)));
        return;
    }
    checkRange("mla.nope_dim", latent.nopeDim, 1, kMaxWidth);
    checkRange("mla.value_dim", latent.valueDim, 1, kMaxWidth);
    if (latent.ropeDim % 2 != 0)
        refuse(fmt::format("mla.rope_dim is {}", latent.ropeDim),
               fmt::format("Give {}: channels turn in pairs", nearestEven(latent.ropeDim)));
    if (c.keyHeadCount() != c.heads)
        refuse(fmt::format("n_kv_heads is {} with latent attention", c.keyHeads),
               fmt::format("Leave it out, or give {}: every head has its keys in the latent",
                           c.heads));
    if (c.headDimension != 0)
        refuse(fmt::format("head_dim is {} with latent attention", c.headDimension),
               "Leave it out: mla.nope_dim, mla.rope_dim and mla.value_dim say it");
    if (c.isEncoderDecoder())
        refuse("latent attention in an encoder-decoder",
               "Give architecture \"gpt\" or \"encoder\", or attention \"mha\"");
    if (c.positions == Positions::Alibi || c.positions == Positions::RelativeBuckets)
        refuse("latent attention with positions that change the scores",
               "Give positions \"rope\" with a mla.rope_dim, or \"learned\", \"sinusoidal\" or "
               "\"none\"");
    if (c.positions == Positions::Rope && latent.ropeDim == 0)
        refuse("positions are \"rope\" and mla.rope_dim is 0",
               fmt::format("Give mla.rope_dim {}, or positions \"none\"",
                           std::max<std::int64_t>(2, latent.nopeDim / 4 * 2)));
    if (c.queryKeyValueBias.value_or(false))
        refuse("qkv_bias is true with latent attention", "Leave it out: the latent has no bias");
}

void checkRope(const ModelConfig& c)
{
    const RopeSettings& rope = c.rope;
    checkRange("rope.theta", rope.theta, 1.001, 1e12);
    checkRange("rope.dimensions", rope.dimensions, 0, kMaxWidth);
    checkRange("rope.scaling.factor", rope.factor, 1.0, 1e6);
    checkRange("rope.scaling.original_max_len", rope.originalMaxLen, 0, kMaxPositions);
    checkRange("rope.scaling.low_frequency_factor", rope.lowFrequencyFactor, 1e-6, 1e6);
    checkRange("rope.scaling.high_frequency_factor", rope.highFrequencyFactor, 1e-6, 1e6);
    checkRange("rope.scaling.beta_fast", rope.betaFast, 1e-6, 1e6);
    checkRange("rope.scaling.beta_slow", rope.betaSlow, 1e-6, 1e6);
    checkRange("rope.scaling.attention_factor", rope.attentionFactor, 0.0, 1e6);
    if (rope.lowFrequencyFactor >= rope.highFrequencyFactor)
        refuse(
            fmt::format("rope.scaling.low_frequency_factor is {} and high_frequency_factor is {}",
                        rope.lowFrequencyFactor, rope.highFrequencyFactor),
            "Give the smaller number to low_frequency_factor, such as 1 and 4");
    if (rope.betaSlow >= rope.betaFast)
        refuse(fmt::format("rope.scaling.beta_slow is {} and beta_fast is {}", rope.betaSlow,
                           rope.betaFast),
               "Give the smaller number to beta_slow, such as 1 and 32");
    if (c.positions != Positions::Rope)
        return;
    if (c.isLatent() && rope.dimensions != 0 && rope.dimensions != c.latent.ropeDim)
        refuse(fmt::format("rope.dimensions is {} and mla.rope_dim is {}", rope.dimensions,
                           c.latent.ropeDim),
               "Leave rope.dimensions out");
    if (!c.isLatent() && rope.dimensions > c.headDim())
        refuse(fmt::format("rope.dimensions is {} where a head has {} channels", rope.dimensions,
                           c.headDim()),
               fmt::format("Give {} or less", c.headDim() / 2 * 2));
    const std::int64_t turning = c.ropeDimensions();
    if (turning % 2 != 0 && rope.dimensions == 0)
        refuse(fmt::format("a head has {} channels, which cannot turn in pairs", turning),
               turning > 1 ? fmt::format("Give rope.dimensions {}, or heads of {} channels",
                                         turning - 1, nearestEven(turning))
                           : "Give heads of 2 channels or more");
    if (turning % 2 != 0)
        refuse(fmt::format("rope.dimensions is {}", turning),
               fmt::format("Give {}: channels turn in pairs", turning + 1 > c.headDim()
                                                                  ? fmt::format("{}", turning - 1)
                                                                  : nearestEven(turning)));
}

void checkRelative(const ModelConfig& c)
{
    checkRange("relative_buckets", c.relativeBuckets, 2, 4096);
    checkRange("relative_max_distance", c.relativeMaxDistance, 1, kMaxPositions);
    if (c.positions != Positions::RelativeBuckets)
        return;
    const bool bothSides = c.hasEncoder();
    if (bothSides && (c.relativeBuckets < 4 || c.relativeBuckets % 2 != 0))
        refuse(fmt::format("relative_buckets is {} in an encoder", c.relativeBuckets),
               fmt::format("Give {}: half of them for the tokens ahead",
                           c.relativeBuckets < 4 ? "4" : nearestEven(c.relativeBuckets)));
    // In a decoder all buckets look back, and half of them hold one distance each.
    const std::int64_t exact = (c.hasDecoder() ? c.relativeBuckets : c.relativeBuckets / 2) / 2;
    if (c.relativeMaxDistance <= exact)
        refuse(fmt::format("relative_max_distance is {} where {} buckets already hold {} distances",
                           c.relativeMaxDistance, c.relativeBuckets, exact),
               fmt::format("Give {} or more", exact + 1));
}

void checkPositions(const ModelConfig& c)
{
    if (c.positions == Positions::Sinusoidal && c.dModel % 2 != 0)
        refuse(fmt::format("d_model is {} with sinusoidal positions", c.dModel),
               fmt::format("Give {}: sine and cosine come in pairs", nearestEven(c.dModel)));
    if (c.positions == Positions::Alibi && c.hasEncoder())
        refuse("positions are \"alibi\" in an encoder, whose tokens look ahead too",
               "Give positions \"relative\", or architecture \"gpt\"");
}

void checkFeedForward(const ModelConfig& c)
{
    checkRange("experts.count", c.experts.count, 0, kMaxExperts);
    checkRange("experts.balance_coefficient", c.experts.balanceCoefficient, 0.0, 1e3);
    checkRange("experts.top_k", c.experts.topK, 1, kMaxExperts);
    if (c.experts.count == 0)
        return;
    if (c.experts.topK > c.experts.count)
        refuse(fmt::format("experts.top_k is {} of {} experts", c.experts.topK, c.experts.count),
               fmt::format("Give {} or less", c.experts.count));
    if (c.dFf == 0)
        refuse(fmt::format("d_ff is 0 with {} experts", c.experts.count),
               fmt::format("Give d_ff {}, or leave out experts", 4 * c.dModel));
    const std::int64_t blocks = c.layers + (c.isEncoderDecoder() ? c.decoderLayerCount() : 0);
    if (c.experts.count * blocks > kMaxExpertsOfAllLayers)
        refuse(fmt::format("{} blocks of {} experts", blocks, c.experts.count),
               fmt::format("Give experts.count {} or less", kMaxExpertsOfAllLayers / blocks));
}

void checkStacks(const ModelConfig& c)
{
    const bool twoStacks = c.isEncoderDecoder();
    if (c.decoderLayers > 0 && !twoStacks)
        refuse(fmt::format("n_decoder_layers is {} without an encoder-decoder", c.decoderLayers),
               "Give architecture \"encoder-decoder\", or leave it out");
    if (c.shareSourceEmbedding && !twoStacks)
        refuse("share_source_embedding is given without an encoder-decoder",
               "Give architecture \"encoder-decoder\", or leave it out");
    if (c.tokenTypes > 0 && twoStacks)
        refuse(fmt::format("token_types is {} in an encoder-decoder", c.tokenTypes),
               "Give 0, or architecture \"encoder\"");
    if (!c.parallelResidual)
        return;
    if (c.normPosition == NormPosition::Post)
        refuse("parallel_residual is true and norm_position is \"post\"",
               "Give norm_position \"pre\": both halves of a block read the same stream");
    if (twoStacks)
        refuse("parallel_residual is true in an encoder-decoder",
               "Give false: cross-attention reads what self-attention wrote");
    if (c.dFf == 0)
        refuse("parallel_residual is true and d_ff is 0",
               fmt::format("Give d_ff {}, or parallel_residual false", 4 * c.dModel));
}

void checkOutputs(const ModelConfig& c)
{
    if (c.nextSentence && c.architecture != Architecture::Encoder)
        refuse("next_sentence is true in a model that is no encoder",
               "Give architecture \"encoder\", or next_sentence false");
    if (c.headTransform && !c.languageHead)
        refuse("head_transform is true and language_head is false",
               "Give language_head true, or head_transform false");
    if (c.headBias && !c.languageHead)
        refuse("head_bias is true and language_head is false",
               "Give language_head true, or head_bias false");
    if (c.headTransform && c.isGated())
        refuse("head_transform is true with a gated activation, and one matrix has no gate",
               "Give activation \"gelu\", or head_transform false");
}

void checkSize(const ModelConfig& c)
{
    const std::int64_t parameters = countParameters(c).total();
    if (parameters > kMaxParameters)
        refuse(fmt::format("the model has {} parameters", parameters),
               fmt::format("Stay below {}", kMaxParameters));
}

} // namespace

void ModelConfig::validate() const
{
    checkExtents(*this);
    checkNumbers(*this);
    checkLatent(*this);
    checkHeads(*this);
    checkPositions(*this);
    checkRope(*this);
    checkRelative(*this);
    checkFeedForward(*this);
    checkStacks(*this);
    checkOutputs(*this);
    checkSize(*this);
}

} // namespace headscope
