#include "core/model/config/mechanisms.h"

#include "core/model/config/model_fields.h"
#include "core/model/positions/layer_ropes.h"
#include "core/model/positions/position_encodings.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace headscope {

namespace {

const Names<RopeSettings::Scaling> kScalingWords{
    {"linear scaling", RopeSettings::Scaling::Linear},
    {"dynamic scaling", RopeSettings::Scaling::Dynamic},
    {"YaRN", RopeSettings::Scaling::Yarn},
    {"Llama 3 scaling", RopeSettings::Scaling::Llama3},
    {"LongRoPE", RopeSettings::Scaling::LongRope}};

const Names<Activation> kActivationWords{{"ReLU", Activation::Relu},
                                         {"GELU", Activation::GeluExact},
                                         {"GELU (tanh)", Activation::GeluTanh},
                                         {"SiLU", Activation::Silu},
                                         {"SwiGLU", Activation::SwiGlu},
                                         {"GeGLU (tanh)", Activation::GeGlu},
                                         {"GeGLU", Activation::GeGluExact},
                                         {"clamped SwiGLU", Activation::ClampedSwiGlu}};

const Names<Norm> kNormWords{{"LayerNorm", Norm::Layer},
                             {"RMSNorm", Norm::Rms},
                             {"RMSNorm with 1 + gamma", Norm::RmsUnitOffset},
                             {"LayerNorm by the standard deviation", Norm::StdEps},
                             {"BatchNorm", Norm::Batch}};

const Names<NormPosition> kPlaceWords{{"before sublayers", NormPosition::Pre},
                                      {"after the residual", NormPosition::Post},
                                      {"on sublayer outputs", NormPosition::Output},
                                      {"before and after sublayers", NormPosition::Both}};

const Names<QueryKeyNorm> kQueryKeyNormWords{
    {"QK-norm per head", QueryKeyNorm::PerHead},
    {"QK-norm with a gamma for each head", QueryKeyNorm::OwnPerHead},
    {"QK-norm over all heads", QueryKeyNorm::Whole}};

template<class Enum>
std::string wordsOf(Enum value, const Names<Enum>& names)
{
    const auto found = std::ranges::find(names, value, &std::pair<std::string_view, Enum>::second);
    return found == names.end() ? std::string() : std::string(found->first);
}

class Mechanisms
{
public:
    explicit Mechanisms(const ModelConfig& config) : m_config(config) {}

    std::vector<std::string> list()
    {
        attention();
        windows();
        positions();
        norms();
        feedForward();
        factors();
        return std::move(m_list);
    }

private:
    void add(std::string text) { m_list.push_back(std::move(text)); }

    void addIf(bool holds, std::string_view text)
    {
        if (holds)
            m_list.emplace_back(text);
    }

    /// "in 3 of 4 layers", or nothing where it is so in all.
    template<class Has>
    std::string inLayers(const Has& has) const
    {
        const auto count = std::ranges::count_if(m_config.layerSettings, has);
        return count == std::ssize(m_config.layerSettings)
                   ? std::string()
                   : fmt::format(" in {} of {} layers", count, m_config.layerSettings.size());
    }

    void attention()
    {
        const std::int64_t keys = m_config.keyHeadCount();
        if (m_config.isLatent())
            add("latent attention");
        else
            add(keys == m_config.heads ? "multi-head attention"
                : keys == 1            ? "multi-query attention"
                                       : "grouped-query attention");
        if (m_config.queryKeyNorm != QueryKeyNorm::None)
            add(wordsOf(m_config.queryKeyNorm, kQueryKeyNormWords));
        addIf(m_config.attentionSinks, "attention sinks");
        addIf(m_config.softCap > 0.0, "capped scores");
        addIf(m_config.attentionScale.has_value(), "factor of scores");
        addIf(!m_config.scaleScores, "unscaled scores");
        addIf(m_config.hasQueryKeyValueBias() && !m_config.bias, "biases of queries, keys, values");
    }

    void windows()
    {
        if (m_config.layerSettings.empty()) {
            if (m_config.window)
                add(fmt::format("window of {}", *m_config.window));
            return;
        }
        std::set<std::int64_t> widths;
        for (const LayerSettings& layer : m_config.layerSettings)
            if (layer.window)
                widths.insert(*layer.window);
        for (const std::int64_t window : widths)
            add(fmt::format("window of {}", window) +
                inLayers([&](const LayerSettings& layer) { return layer.window == window; }));
    }

    void positions()
    {
        add(std::string(encodingOf(m_config).traits().words));
        addIf(m_config.alibiScaled && m_config.positions == Positions::Alibi,
              "slopes times the factor of scores");
        if (m_config.ropeDimensions() == 0)
            return;
        addIf(m_config.ropeDimensions() < m_config.queryDim(), "partial rotation");
        std::vector<double> bases;
        std::vector<RopeSettings::Scaling> scalings;
        for (const RopeSettings& rope : ropesOf(m_config)) {
            if (std::ranges::find(bases, rope.theta) == bases.end())
                bases.push_back(rope.theta);
            if (rope.scaling != RopeSettings::Scaling::None &&
                std::ranges::find(scalings, rope.scaling) == scalings.end())
                scalings.push_back(rope.scaling);
        }
        if (bases.size() > 1)
            add(fmt::format("{} rotary bases", bases.size()));
        for (const RopeSettings::Scaling scaling : scalings)
            add(wordsOf(scaling, kScalingWords));
        const auto stays = [](const LayerSettings& layer) { return !layer.rotates; };
        if (std::ranges::any_of(m_config.layerSettings, stays))
            add("no positions" + inLayers(stays));
    }

    void norms()
    {
        const bool noBeta = m_config.norm == Norm::Layer && !m_config.hasNormBias();
        add(fmt::format("{}{} {}", wordsOf(m_config.norm, kNormWords),
                        noBeta ? " without bias" : "",
                        wordsOf(m_config.normPosition, kPlaceWords)));
        const auto lacks = [](const LayerSettings& layer) { return !layer.normsAttention; };
        if (std::ranges::any_of(m_config.layerSettings, lacks))
            add("attention without a norm" + inLayers(lacks));
        addIf(m_config.embeddingNorm, "norm of embeddings");
        if (m_config.isParallel())
            add(m_config.sharedNorm ? "parallel block behind one norm" : "parallel block");
    }

    void feedForward()
    {
        add(wordsOf(m_config.activation, kActivationWords));
        const ExpertSettings& experts = m_config.experts;
        if (experts.count == 0)
            return;
        const auto has = [](const LayerSettings& layer) { return layer.hasExperts; };
        add(fmt::format("{} of {} experts", experts.topK, experts.count) + inLayers(has));
        addIf(!experts.normalised, "expert weights not normalised");
        addIf(experts.routerBias, "router bias");
        addIf(experts.sharedWidth > 0,
              experts.sharedGate ? "shared expert with a gate" : "shared expert");
    }

    void factors()
    {
        if (m_config.embeddingWidth > 0)
            add(fmt::format("embeddings of width {}", m_config.embeddingWidth));
        addIf(m_config.embeddingScale != 1.0, "factor of embeddings");
        addIf(m_config.residualScale != 1.0, "factor of residuals");
        addIf(m_config.headScale != 1.0, "factor of logits");
        addIf(m_config.logitCap > 0.0, "capped logits");
        addIf(m_config.headBias, "bias of logits");
        addIf(m_config.tieEmbeddings && m_config.languageHead, "tied unembedding");
    }

    const ModelConfig& m_config;
    std::vector<std::string> m_list;
};

} // namespace

std::vector<std::string> mechanismsOf(const ModelConfig& config)
{
    return Mechanisms(config).list();
}

} // namespace headscope
