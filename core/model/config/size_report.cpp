#include "core/model/config/size_report.h"

#include "core/base/error.h"
#include "core/model/positions/position_encodings.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

// ModelConfig::validate keeps every extent so small that no product here exceeds 64 bits.

class Counter
{
public:
    explicit Counter(const ModelConfig& config)
        : m_config(config)
        , m_width(config.dModel)
        , m_norm(config.hasNormBias() ? 2 * m_width : m_width)
    {
    }

    SizeReport count() const
    {
        const ModelConfig& c = m_config;
        const bool twoStacks = c.isEncoderDecoder();
        const std::int64_t decoders = twoStacks ? c.decoderLayerCount() : 0;
        const std::int64_t blocks = c.layers + decoders;
        const std::int64_t finalNorms = c.hasFinalNorm() ? (twoStacks ? 2 : 1) : 0;
        const std::int64_t embeddingNorms = c.embeddingNorm ? (twoStacks ? 2 : 1) : 0;
        SizeReport report;
        report.embeddings = embeddings(twoStacks);
        report.attention = blocks * selfAttention() + decoders * crossAttention();
        const bool alike = c.layerSettings.empty();
        const LayerSettings first = c.layer(0);
        report.feedForward = alike ? blocks * feedForward(first) : 0;
        for (const LayerSettings& layer : c.layerSettings)
            report.feedForward += feedForward(layer);
        report.norms = (blocks * blockNorms() + decoders + finalNorms - missingNorms()) * m_norm +
                       embeddingNorms * embeddingNorm();
        report.heads = heads();
        const std::int64_t norms = blockNorms() - (first.normsAttention ? 0 : 1);
        report.block = selfAttention() + feedForward(first) + norms * m_norm;
        report.decoderBlock = twoStacks ? report.block + crossAttention() + m_norm : 0;
        report.active = report.total();
        std::int64_t mixed = alike ? blocks : 0;
        for (const LayerSettings& layer : c.layerSettings)
            mixed += layer.hasExperts ? 1 : 0;
        if (c.experts.count > 0)
            report.active -= mixed * (c.experts.count - c.experts.topK) * network(c.expertWidth());
        return report;
    }

private:
    std::int64_t linear(std::int64_t out, std::int64_t in, bool bias) const
    {
        return out * in + (bias ? out : 0);
    }

    std::int64_t embeddings(bool twoStacks) const
    {
        const ModelConfig& c = m_config;
        const bool ownSource = twoStacks && !c.shareSourceEmbedding.value_or(c.tieEmbeddings);
        const auto positions = encodingOf(c).parameter(c);
        const std::int64_t perStack = positions ? positions->shape.elementCount() : 0;
        const std::int64_t projection =
            c.embeddingWidth > 0 ? linear(m_width, c.embeddingWidth, c.bias) : 0;
        return (c.vocabularySize * (ownSource ? 2 : 1) + c.tokenTypes) * c.embeddingDim() +
               perStack * (twoStacks ? 2 : 1) + projection;
    }

    /// Parameters of a norm that is as wide as the embeddings.
    std::int64_t embeddingNorm() const
    {
        return m_config.embeddingDim() * (m_config.hasNormBias() ? 2 : 1);
    }

    std::int64_t selfAttention() const
    {
        const std::int64_t sinks = m_config.attentionSinks ? m_config.heads : 0;
        return (m_config.isLatent() ? latentAttention() : crossAttention()) + queryKeyNorms() +
               sinks;
    }

    /// Cross-attention has the shapes of plain self-attention.
    std::int64_t crossAttention() const
    {
        const ModelConfig& c = m_config;
        const std::int64_t rows =
            (c.heads + c.keyHeadCount()) * c.headDim() + c.keyHeadCount() * c.valueDim();
        return linear(rows, m_width, c.hasQueryKeyValueBias()) +
               linear(m_width, c.heads * c.valueDim(), c.bias);
    }

    std::int64_t latentAttention() const
    {
        const ModelConfig& c = m_config;
        const LatentSettings& latent = c.latent;
        const std::int64_t queryRows = c.heads * c.queryDim();
        const std::int64_t queries = latent.queryRank > 0
                                         ? latent.queryRank * (m_width + 1 + queryRows)
                                         : m_width * queryRows;
        const std::int64_t down = (latent.keyValueRank + latent.ropeDim) * m_width;
        const std::int64_t up = c.heads * (latent.nopeDim + latent.valueDim) * latent.keyValueRank;
        return queries + down + latent.keyValueRank + up +
               linear(m_width, c.heads * latent.valueDim, c.bias);
    }

    /// A plain feed-forward network, or one expert.
    std::int64_t network(std::int64_t width) const
    {
        const ModelConfig& c = m_config;
        return linear((c.isGated() ? 2 : 1) * width, m_width, c.bias) +
               linear(m_width, width, c.bias);
    }

    std::int64_t feedForward(const LayerSettings& layer) const
    {
        const ExpertSettings& experts = m_config.experts;
        if (layer.dFf == 0)
            return 0;
        if (experts.count == 0 || !layer.hasExperts)
            return network(layer.dFf);
        const std::int64_t shared = experts.sharedWidth > 0 ? network(experts.sharedWidth) +
                                                                  (experts.sharedGate ? m_width : 0)
                                                            : 0;
        return experts.count *
                   (network(m_config.expertWidth()) + m_width + (experts.routerBias ? 1 : 0)) +
               shared;
    }

    /// Norms that layers lack whose attention reads the residual stream itself.
    std::int64_t missingNorms() const
    {
        return std::ranges::count(m_config.layerSettings, false, &LayerSettings::normsAttention);
    }

    /// Norms of a block that are as wide as the residual stream.
    std::int64_t blockNorms() const
    {
        const ModelConfig& c = m_config;
        const std::int64_t sublayers = c.dFf > 0 && !c.sharedNorm ? 2 : 1;
        return sublayers * (c.normPosition == NormPosition::Both ? 2 : 1);
    }

    std::int64_t queryKeyNorms() const
    {
        const ModelConfig& c = m_config;
        const std::int64_t perChannel = c.hasNormBias() ? 2 : 1;
        switch (c.queryKeyNorm) {
        case QueryKeyNorm::None:
            return 0;
        case QueryKeyNorm::PerHead:
            return 2 * c.queryDim() * perChannel;
        default:
            return (c.heads + c.keyHeadCount()) * c.queryDim() * perChannel;
        }
    }

    std::int64_t heads() const
    {
        const ModelConfig& c = m_config;
        std::int64_t count = 0;
        if (c.headTransform)
            count += linear(c.embeddingDim(), m_width, c.bias) + embeddingNorm();
        if (c.languageHead)
            count += c.vocabularySize *
                     ((c.tieEmbeddings ? 0 : c.headInputDim()) + (c.headBias ? 1 : 0));
        if (c.nextSentence)
            count += linear(m_width, m_width, c.bias) + linear(2, m_width, c.bias);
        return count;
    }

    const ModelConfig& m_config;
    std::int64_t m_width;
    std::int64_t m_norm;
};

void requireRange(const char* name, std::int64_t value, std::int64_t low, std::int64_t high)
{
    if (value < low || value > high)
        throw Error(fmt::format("{} is {}", name, value), "sizes of a model",
                    fmt::format("Use a whole number from {} to {}", low, high));
}

std::int64_t decoderLayers(const ModelConfig& config)
{
    if (!config.hasDecoder())
        return 0;
    return config.hasEncoder() ? config.decoderLayerCount() : config.layers;
}

} // namespace

SizeReport countParameters(const ModelConfig& config)
{
    return Counter(config).count();
}

SizeReport sizeReport(const ModelConfig& config)
{
    config.validate();
    return countParameters(config);
}

std::int64_t kvCacheBytes(const ModelConfig& config, std::int64_t tokens,
                          std::int64_t bytesPerValue)
{
    config.validate();
    requireRange("the number of tokens", tokens, 0, std::int64_t{1} << 24);
    requireRange("bytes per value", bytesPerValue, 1, 8);
    const std::int64_t values =
        config.isLatent() ? config.latent.keyValueRank + config.latent.ropeDim
                          : config.keyHeadCount() * (config.queryDim() + config.valueDim());
    return decoderLayers(config) * tokens * values * bytesPerValue;
}

std::int64_t trainingBytes(const ModelConfig& config, std::int64_t workers)
{
    requireRange("the number of workers", workers, 1, 4096);
    constexpr std::int64_t kSnapshots = 2;
    return sizeReport(config).total() * static_cast<std::int64_t>(sizeof(float)) *
           (1 + workers + kSnapshots);
}

} // namespace headscope
