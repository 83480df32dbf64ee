#include "core/model/weights/parameters.h"

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/model/positions/position_encodings.h"
#include "core/model/weights/lazy_parameters.h"
#include "core/model/weights/running_statistics.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <new>
#include <numeric>
#include <utility>

namespace headscope {

namespace {

constexpr std::size_t kFloatsPerCacheLine = 16;

/// Lays out parameters one after another; a fused group begins on a cache line and has no gaps.
class LayoutBuilder
{
public:
    explicit LayoutBuilder(const ModelConfig& config) : m_config(config), m_width(config.dModel) {}

    std::vector<ParameterSpec> build()
    {
        addEmbeddings();
        if (m_config.isEncoderDecoder()) {
            addStack("enc", m_config.layers, false);
            addFinalNorm("enc.");
            addStack("dec", m_config.decoderLayerCount(), true);
        } else {
            addStack("h", m_config.layers, false);
        }
        addFinalNorm("");
        addHeads();
        return std::move(m_specs);
    }

private:
    void add(std::string name, const Shape& shape)
    {
        m_end = (m_end + kFloatsPerCacheLine - 1) / kFloatsPerCacheLine * kFloatsPerCacheLine;
        addFused(std::move(name), shape);
    }

    void addFused(std::string name, const Shape& shape)
    {
        m_specs.push_back({std::move(name), shape, m_end});
        m_end += shape.elementCount();
    }

    void addNorm(const std::string& name) { addNorm(name, {m_width}); }

    void addNorm(const std::string& name, const Shape& shape)
    {
        add(name + ".weight", shape);
        if (m_config.hasNormBias())
            add(name + ".bias", shape);
        if (!m_config.hasRunningStatistics())
            return;
        add(name + kRunningMean, {m_width});
        add(name + kRunningVariance, {m_width});
    }

    void addLinear(const std::string& name, std::int64_t out, std::int64_t in)
    {
        add(name + ".weight", {out, in});
        if (m_config.bias)
            add(name + ".bias", {out});
    }

    /// Adds one matrix of several named parts: [out_0 + out_1 + ..., in], and one bias.
    void addFusedLinear(const std::string& name,
                        std::initializer_list<std::pair<const char*, std::int64_t>> parts,
                        std::int64_t in, bool bias)
    {
        bool first = true;
        const auto place = [&](const std::string& part, const Shape& shape) {
            if (first)
                add(part, shape);
            else
                addFused(part, shape);
            first = false;
        };
        for (const auto& [part, out] : parts)
            place(name + part + ".weight", {out, in});
        first = true;
        if (!bias)
            return;
        for (const auto& [part, out] : parts)
            place(name + part + ".bias", {out});
    }

    void addEmbeddings()
    {
        const bool twoStacks = m_config.isEncoderDecoder();
        const std::int64_t width = m_config.embeddingDim();
        add("tok_emb.weight", {m_config.vocabularySize, width});
        if (twoStacks && !m_config.shareSourceEmbedding.value_or(m_config.tieEmbeddings))
            add("enc.tok_emb.weight", {m_config.vocabularySize, width});
        if (m_config.tokenTypes > 0)
            add("type_emb.weight", {m_config.tokenTypes, width});
        if (!twoStacks)
            return addStackEmbeddings("");
        addStackEmbeddings("enc.");
        addStackEmbeddings("dec.");
    }

    void addStackEmbeddings(const std::string& stack)
    {
        const PositionEncoding& encoding = encodingOf(m_config);
        const auto positions = encoding.parameter(m_config);
        if (positions && encoding.traits().addsVectors)
            add(stack + positions->name, positions->shape);
        if (m_config.embeddingNorm)
            addNorm(stack + "ln_emb", {m_config.embeddingDim()});
        if (m_config.embeddingWidth > 0)
            addLinear(stack + "emb_proj", m_width, m_config.embeddingWidth);
        if (positions && encoding.traits().addsBias)
            add(stack + positions->name, positions->shape);
    }

    void addStack(const std::string& stack, std::int64_t layers, bool crossAttention)
    {
        for (std::int64_t layer = 0; layer < layers; ++layer)
            addBlock(fmt::format("{}.{}.", stack, layer), m_config.layer(layer), crossAttention);
    }

    /// The norms of one sublayer, of which most models have one.
    void addNorms(const std::string& name)
    {
        addNorm(name);
        if (m_config.normPosition == NormPosition::Both)
            addNorm(name + "_out");
    }

    void addBlock(const std::string& block, const LayerSettings& layer, bool crossAttention)
    {
        if (layer.normsAttention)
            addNorms(block + "ln1");
        if (m_config.isLatent())
            addLatentAttention(block + "attn.");
        else
            addAttention(block + "attn.");
        addLinear(block + "attn.o", m_width, m_config.heads * m_config.valueDim());
        if (crossAttention)
            addCrossAttention(block);
        if (layer.dFf == 0)
            return;
        if (!m_config.sharedNorm)
            addNorms(block + "ln2");
        if (m_config.experts.count > 0 && layer.hasExperts)
            addExperts(block);
        else
            addFeedForward(block, layer.dFf);
    }

    void addAttention(const std::string& name)
    {
        addFusedLinear(name,
                       {{"q", m_config.heads * m_config.queryDim()},
                        {"k", m_config.keyHeadCount() * m_config.queryDim()},
                        {"v", m_config.keyHeadCount() * m_config.valueDim()}},
                       m_width, m_config.hasQueryKeyValueBias());
        addQueryKeyNorms(name);
        if (m_config.attentionSinks)
            add(name + "sinks.bias", {m_config.heads});
    }

    void addQueryKeyNorms(const std::string& name)
    {
        const std::int64_t width = m_config.queryDim();
        const auto shape = [&](std::int64_t heads) {
            switch (m_config.queryKeyNorm) {
            case QueryKeyNorm::PerHead:
                return Shape{width};
            case QueryKeyNorm::OwnPerHead:
                return Shape{heads, width};
            default:
                return Shape{heads * width};
            }
        };
        if (m_config.queryKeyNorm == QueryKeyNorm::None)
            return;
        addNorm(name + "q_norm", shape(m_config.heads));
        addNorm(name + "k_norm", shape(m_config.keyHeadCount()));
    }

    void addCrossAttention(const std::string& block)
    {
        const std::int64_t keys = m_config.keyHeadCount() * m_config.queryDim();
        const std::int64_t values = m_config.keyHeadCount() * m_config.valueDim();
        const bool bias = m_config.hasQueryKeyValueBias();
        addNorm(block + "ln_cross");
        addFusedLinear(block + "cross.", {{"q", m_config.heads * m_config.queryDim()}}, m_width,
                       bias);
        addFusedLinear(block + "cross.", {{"k", keys}, {"v", values}}, m_width, bias);
        addLinear(block + "cross.o", m_width, m_config.heads * m_config.valueDim());
    }

    void addLatentAttention(const std::string& name)
    {
        const LatentSettings& latent = m_config.latent;
        const std::int64_t queries = m_config.heads * m_config.queryDim();
        if (latent.queryRank > 0) {
            add(name + "q_down.weight", {latent.queryRank, m_width});
            add(name + "q_norm.weight", {latent.queryRank});
            add(name + "q_up.weight", {queries, latent.queryRank});
        } else {
            add(name + "q.weight", {queries, m_width});
        }
        add(name + "kv_down.weight", {latent.keyValueRank + latent.ropeDim, m_width});
        add(name + "kv_norm.weight", {latent.keyValueRank});
        add(name + "kv_up.weight",
            {m_config.heads * (latent.nopeDim + latent.valueDim), latent.keyValueRank});
    }

    void addFeedForward(const std::string& name, std::int64_t width)
    {
        if (m_config.isGated()) {
            addFusedLinear(name, {{"gate", width}, {"up", width}}, m_width, m_config.bias);
            addLinear(name + "down", m_width, width);
        } else {
            addLinear(name + "fc1", width, m_width);
            addLinear(name + "fc2", m_width, width);
        }
    }

    void addExperts(const std::string& block)
    {
        add(block + "router.weight", {m_config.experts.count, m_width});
        if (m_config.experts.routerBias)
            add(block + "router.bias", {m_config.experts.count});
        for (std::int64_t expert = 0; expert < m_config.experts.count; ++expert)
            addFeedForward(fmt::format("{}expert.{}.", block, expert), m_config.expertWidth());
        if (m_config.experts.sharedWidth == 0)
            return;
        addFeedForward(block + "shared.", m_config.experts.sharedWidth);
        if (m_config.experts.sharedGate)
            add(block + "shared.scale.weight", {1, m_width});
    }

    void addFinalNorm(const std::string& stack)
    {
        if (m_config.hasFinalNorm())
            addNorm(stack + "ln_f");
    }

    void addHeads()
    {
        if (m_config.headTransform) {
            addLinear("head.dense", m_config.embeddingDim(), m_width);
            addNorm("head.ln", {m_config.embeddingDim()});
        }
        if (m_config.languageHead && !m_config.tieEmbeddings)
            add("head.weight", {m_config.vocabularySize, m_config.headInputDim()});
        if (m_config.languageHead && m_config.headBias)
            add("head.bias", {m_config.vocabularySize});
        if (m_config.nextSentence) {
            addLinear("pooler", m_width, m_width);
            addLinear("next_sentence", 2, m_width);
        }
    }

    const ModelConfig& m_config;
    const std::int64_t m_width;
    std::vector<ParameterSpec> m_specs;
    std::size_t m_end = 0;
};

std::int64_t countOf(const std::vector<ParameterSpec>& specs)
{
    return std::accumulate(specs.begin(), specs.end(), std::int64_t{0},
                           [](std::int64_t count, const ParameterSpec& spec) {
                               return isRunningStatistic(spec.name)
                                          ? count
                                          : count + spec.shape.elementCount();
                           });
}

Tensor zeros(const std::vector<ParameterSpec>& specs)
{
    const ParameterSpec& last = specs.back();
    const std::int64_t floats = static_cast<std::int64_t>(last.offset) + last.shape.elementCount();
    const std::string what = fmt::format("a model of {} parameters", countOf(specs));
    requireMemory(static_cast<std::uint64_t>(floats) * sizeof(float), what);
    try {
        return Tensor(Shape{floats});
    } catch (const std::bad_alloc&) {
        throw Error("not enough memory for " + what, "ParameterSet", "Choose a smaller model");
    }
}

} // namespace

std::vector<ParameterSpec> parameterLayout(const ModelConfig& config)
{
    config.validate();
    return LayoutBuilder(config).build();
}

std::int64_t parameterCount(const ModelConfig& config)
{
    return countOf(parameterLayout(config));
}

ParameterSet::ParameterSet(const ModelConfig& config)
    : m_specs(parameterLayout(config))
    , m_values(zeros(m_specs))
{
}

ParameterSet::ParameterSet(const ModelConfig& config, std::vector<StoredParameter> stored)
    : m_specs(parameterLayout(config))
    , m_stored(std::make_shared<const LazyParameters>(m_specs, std::move(stored)))
{
}

ParameterSet::ParameterSet(const std::shared_ptr<const ParameterSet>& base,
                           std::vector<ReplacedParameter> replaced)
    : m_specs(base->specs())
    , m_stored(std::make_shared<const LazyParameters>(base, std::move(replaced)))
{
}

/// Copies share stored parameters, so these are never changed in place.
void ParameterSet::own()
{
    if (!m_stored)
        return;
    Tensor values = zeros(m_specs);
    for (std::size_t i = 0; i < m_specs.size(); ++i)
        unpackParameter(m_stored->parameter(i),
                        {values.data() + m_specs[i].offset, m_specs[i].shape});
    m_values = std::move(values);
    m_stored.reset();
}

std::span<float> ParameterSet::values()
{
    own();
    return m_values.values();
}

std::span<const float> ParameterSet::values() const
{
    return m_stored ? m_stored->values() : m_values.values();
}

TensorView ParameterSet::at(std::size_t offset, const Shape& shape) const
{
    return m_stored ? m_stored->at(offset, shape) : TensorView(m_values.data() + offset, shape);
}

void ParameterSet::requireUnchanged() const
{
    if (m_stored)
        m_stored->requireUnchanged();
}

std::size_t ParameterSet::parameterCount() const
{
    return countOf(m_specs);
}

const ParameterSpec* ParameterSet::find(std::string_view name) const
{
    const auto found = std::ranges::find(m_specs, name, &ParameterSpec::name);
    return found == m_specs.end() ? nullptr : &*found;
}

const ParameterSpec& ParameterSet::spec(std::string_view name) const
{
    if (const ParameterSpec* found = find(name))
        return *found;
    throw ShapeError(fmt::format("no such parameter: \"{}\"", name), "ParameterSet::view");
}

TensorView ParameterSet::view(std::string_view name) const
{
    return view(spec(name));
}

MutableTensorView ParameterSet::view(std::string_view name)
{
    return view(spec(name));
}

TensorView ParameterSet::view(const ParameterSpec& spec) const
{
    return at(spec.offset, spec.shape);
}

MutableTensorView ParameterSet::view(const ParameterSpec& spec)
{
    own();
    return {m_values.data() + spec.offset, spec.shape};
}

} // namespace headscope
