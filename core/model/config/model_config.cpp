#include "core/model/config/model_config.h"

#include "core/model/config/config_checks.h"
#include "core/model/config/size_report.h"
#include "core/model/positions/position_encodings.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

// Products of these stay below 2^63 for every configuration: see size_report.cpp.
constexpr std::int64_t kMaxVocabulary = std::int64_t{1} << 24;
constexpr std::int64_t kMaxHeads = std::int64_t{1} << 12;
/// Limit of d_ff, and of the channels of all heads together.
constexpr std::int64_t kMaxInner = 16 * kMaxWidth;
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
    checkRange("value_dim", c.valueDimension, 0, kMaxWidth);
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
    checkRange("logit_cap", c.logitCap, 0.0, 1e6);
    checkRange("attention_scale", c.attentionScale.value_or(1.0), -1e6, 1e6);
    checkRange("residual_scale", c.residualScale, -1e6, 1e6);
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
    if (c.valueDimension != 0)
        refuseConfig(
            fmt::format("value_dim is {}, which latent attention does not use", c.valueDimension),
            "Leave it out: mla.value_dim determines it");
}

void checkFeedForward(const ModelConfig& c)
{
    checkRange("experts.count", c.experts.count, 0, kMaxExperts);
    checkRange("experts.balance_coefficient", c.experts.balanceCoefficient, 0.0, 1e3);
    checkRange("experts.top_k", c.experts.topK, 1, kMaxExperts);
    checkRange("experts.width", c.experts.width, 0, kMaxInner);
    checkRange("experts.shared_width", c.experts.sharedWidth, 0, kMaxInner);
    if (c.experts.count == 0)
        return;
    if (c.experts.sharedGate && c.experts.sharedWidth == 0)
        refuseConfig("experts.shared_gate is true and experts.shared_width is 0",
                     "Set experts.shared_width, or experts.shared_gate to false");
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
    if (twoStacks && c.normsOutput())
        refuseConfig("norm_position is \"output\" or \"both\" in an encoder-decoder",
                     "Set it to \"pre\" or \"post\"");
    if (c.normsOutput() && c.norm != Norm::Rms && c.norm != Norm::RmsUnitOffset)
        refuseConfig("norm_position is \"output\" or \"both\" and norm is not \"rms\"",
                     "Set norm to \"rms\" or \"rms_unit_offset\"");
    if (twoStacks && c.residualScale != 1.0)
        refuseConfig(fmt::format("residual_scale is {} in an encoder-decoder", c.residualScale),
                     "Leave it out");
    if (!c.isParallel() && c.sharedNorm)
        refuseConfig("shared_norm is true and parallel_residual is false",
                     "Set parallel_residual to true: two halves of a block share a norm");
    if (!c.isParallel())
        return;
    if (c.normPosition != NormPosition::Pre)
        refuseConfig("parallel_residual is true and norm_position is not \"pre\"",
                     "Set norm_position to \"pre\": both halves of a block read the same residual "
                     "stream");
    if (twoStacks)
        refuseConfig("parallel_residual is true in an encoder-decoder",
                     "Set it to false: cross-attention reads the output of self-attention");
    if (c.dFf == 0)
        refuseConfig("parallel_residual is true and d_ff is 0",
                     fmt::format("Set d_ff to {}, or parallel_residual to false", 4 * c.dModel));
}

/// Refuses what only models of one stack with keys of their own have.
void checkAttentionExtras(const ModelConfig& c)
{
    const bool supported = !c.isLatent() && !c.isEncoderDecoder();
    const char* const advice = "Leave it out: only an encoder or a decoder without latent "
                               "attention supports it";
    if (c.queryKeyNorm != QueryKeyNorm::None && !supported)
        refuseConfig("qk_norm is given", advice);
    if (c.queryKeyNorm != QueryKeyNorm::None && c.norm == Norm::Batch)
        refuseConfig("qk_norm is given and norm is \"batch\"", "Set norm to \"layer\" or \"rms\"");
    if (c.attentionSinks && !supported)
        refuseConfig("attention_sinks is true", advice);
    if (!c.layerSettings.empty() && !supported)
        refuseConfig("layer_settings is given", advice);
}

void checkLayer(const ModelConfig& c, const LayerSettings& layer)
{
    if (layer.window)
        checkRange("window of a layer", *layer.window, 1, kMaxPositions);
    checkRange("d_ff of a layer", layer.dFf, 0, kMaxInner);
    if ((layer.dFf == 0) != (c.dFf == 0))
        refuseConfig(
            fmt::format("d_ff of a layer is {} and that of the model is {}", layer.dFf, c.dFf),
            "Give all layers a feed-forward network, or none");
    if (!layer.normsAttention && (c.normPosition != NormPosition::Pre || c.sharedNorm))
        refuseConfig(
            "norms_attention of a layer is false in a model whose blocks do not begin with "
            "a norm of their own for attention",
            "Leave it out, or set norm_position to \"pre\" and shared_norm to false");
    if (layer.rope.dimensions != c.rope.dimensions || layer.rope.layout != c.rope.layout)
        refuseConfig("the rope of a layer rotates other channels than that of the model",
                     "Use the same layout and dimensions");
    ModelConfig alone = c;
    alone.layerSettings.clear();
    alone.rope = layer.rope;
    encodingOf(c).checkSettings(alone);
}

void checkLayers(const ModelConfig& c)
{
    if (c.layerSettings.empty())
        return;
    if (std::ssize(c.layerSettings) != c.layers)
        refuseConfig(fmt::format("layer_settings describes {} layers of {}", c.layerSettings.size(),
                                 c.layers),
                     "Describe each layer once");
    for (const LayerSettings& layer : c.layerSettings)
        checkLayer(c, layer);
}

/// Embeddings that are narrower or wider than the layers, and projected.
void checkEmbeddings(const ModelConfig& c)
{
    if (c.embeddingWidth == 0)
        return;
    checkRange("embedding_width", c.embeddingWidth, 0, kMaxWidth);
    if (c.embeddingWidth % 2 != 0)
        refuseConfig(fmt::format("embedding_width is {}", c.embeddingWidth),
                     fmt::format("Use {}, or 0 for d_model", nearestEven(c.embeddingWidth)));
    if (c.isEncoderDecoder() || c.norm == Norm::Batch)
        refuseConfig("embedding_width is given in an encoder-decoder, or with the norm \"batch\"",
                     "Leave it out");
    if (c.languageHead && !c.headTransform)
        refuseConfig("embedding_width is given and head_transform is false",
                     "Set head_transform to true: its dense layer leads back to that width");
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
}

void checkSize(const ModelConfig& c)
{
    const std::int64_t parameters = countParameters(c).total();
    if (parameters > kMaxParameters)
        refuseConfig(fmt::format("the model has {} parameters", parameters),
                     fmt::format("Use fewer than {}", kMaxParameters));
}

} // namespace

double ModelConfig::scoreScale() const
{
    if (!scaleScores)
        return 1.0;
    return attentionScale.value_or(1.0 / std::sqrt(static_cast<double>(queryDim())));
}

LayerSettings ModelConfig::layer(std::int64_t index) const
{
    if (!layerSettings.empty())
        return layerSettings.at(static_cast<std::size_t>(index));
    return {.window = window, .rope = rope, .dFf = dFf, .hasExperts = experts.count > 0};
}

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
    checkAttentionExtras(*this);
    checkLayers(*this);
    checkEmbeddings(*this);
    checkOutputs(*this);
    checkSize(*this);
}

} // namespace headscope
