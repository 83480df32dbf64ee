#include "core/model/pass/site_shape.h"

#include "core/model/positions/position_encodings.h"

namespace headscope {

namespace {

bool hasPositionVectors(const ModelConfig& config, const SiteExtents& extents)
{
    return encodingOf(extents.replaced.value_or(config.positions)).traits().addsVectors;
}

/// True unless other positions replace the rotation of latent attention's rotary channels, or the
/// layer has no positions.
bool rotates(const ModelConfig& config, int layer, const SiteExtents& extents)
{
    const bool rope = encodingOf(extents.replaced.value_or(config.positions)).traits().turns;
    if (config.isLatent())
        return config.latent.ropeDim > 0 && (rope || !extents.replaced);
    return rope && (extents.replaced || config.layer(layer).rotates);
}

/// True where scores are computed from other vectors than the projected ones.
bool hasOwnOperands(const ModelConfig& config, int layer, const SiteExtents& extents)
{
    return rotates(config, layer, extents) || config.queryKeyNorm != QueryKeyNorm::None;
}

/// Number of heads and of channels per head, for sites with an axis of heads.
std::optional<Shape> headsOf(const ModelConfig& config, TraceKey key, const SiteExtents& extents)
{
    const std::int64_t keyHeads = config.isLatent() ? config.heads : config.keyHeadCount();
    switch (key.site) {
    case Site::RotatedQuery:
        if (!hasOwnOperands(config, key.layer, extents))
            return std::nullopt;
        [[fallthrough]];
    case Site::Query:
    case Site::CrossQuery:
        return Shape{config.heads, config.queryDim()};
    case Site::RotatedKey:
        if (!hasOwnOperands(config, key.layer, extents) || config.isLatent())
            return std::nullopt;
        [[fallthrough]];
    case Site::Key:
    case Site::CrossKey:
        return Shape{keyHeads, config.queryDim()};
    case Site::Value:
    case Site::CrossValue:
        return Shape{keyHeads, config.valueDim()};
    default:
        return Shape{config.heads, config.valueDim()}; // Z, CrossZ
    }
}

/// Columns of the sites without heads; 0 where the model has no such site.
std::int64_t widthOf(const ModelConfig& config, TraceKey key, const SiteExtents& extents)
{
    const bool inLayer = isPerLayer(key.site);
    const std::int64_t width = inLayer ? config.layer(key.layer).dFf : 0;
    const bool mixes = inLayer && config.experts.count > 0 && config.layer(key.layer).hasExperts;
    const bool dense = width > 0 && !mixes;
    switch (key.site) {
    case Site::PosEmbed:
        return hasPositionVectors(config, extents) ? config.embeddingDim() : 0;
    case Site::Embed:
        return config.embeddingDim();
    case Site::Latent:
        return config.latent.keyValueRank;
    case Site::RotaryKey:
        return config.isLatent() && rotates(config, key.layer, extents) ? config.latent.ropeDim : 0;
    case Site::RouterProbs:
    case Site::ExpertWeights:
        return mixes ? config.experts.count : 0;
    case Site::MlpPre:
    case Site::MlpPost:
        return dense ? width : 0;
    case Site::MlpPreLinear:
        return dense && config.isGated() ? width : 0;
    case Site::MlpOut:
        return config.dFf > 0 ? config.dModel : 0;
    case Site::LnFinal:
        return config.hasFinalNorm() ? config.dModel : 0;
    case Site::Logits:
        return config.languageHead ? config.vocabularySize : 0;
    default:
        return config.dModel;
    }
}

bool isCross(Site site)
{
    return site >= Site::CrossQuery && site <= Site::ResidMidCross;
}

bool isIn(const ModelConfig& config, TraceKey key)
{
    const bool twoStacks = config.isEncoderDecoder();
    if (isPerLayer(key.site))
        return key.layer >= 0 && key.layer < layerCount(config, key.stack) &&
               (!isCross(key.site) || key.stack == Stack::Decoder);
    if (key.stack == Stack::Encoder)
        return twoStacks && key.site != Site::Logits && key.site != Site::NextSentence;
    return key.stack == Stack::Blocks && (key.site != Site::NextSentence || config.nextSentence);
}

} // namespace

std::optional<Shape> siteShape(const ModelConfig& config, TraceKey key, const SiteExtents& extents)
{
    if (!isIn(config, key))
        return std::nullopt;
    if (key.site == Site::NextSentence)
        return Shape{1, 2};
    const bool source = key.stack == Stack::Encoder || hasSourceRows(key.site);
    const std::int64_t rows = source ? extents.sourceTokens : extents.tokens;
    if (hasQueryRowsPerHead(key.site))
        return Shape{config.heads, rows, isCross(key.site) ? extents.sourceTokens : rows};
    if (hasHeads(key.site)) {
        const std::optional<Shape> heads = headsOf(config, key, extents);
        return heads ? std::optional(Shape{rows, (*heads)[0], (*heads)[1]}) : std::nullopt;
    }
    const std::int64_t width = widthOf(config, key, extents);
    return width > 0 ? std::optional(Shape{rows, width}) : std::nullopt;
}

std::int64_t layerCount(const ModelConfig& config, Stack stack)
{
    const bool twoStacks = config.isEncoderDecoder();
    if (twoStacks != (stack != Stack::Blocks))
        return 0;
    return stack == Stack::Decoder ? config.decoderLayerCount() : config.layers;
}

} // namespace headscope
