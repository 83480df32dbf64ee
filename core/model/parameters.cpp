#include "core/model/parameters.h"

#include "core/base/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <new>

namespace headscope {

namespace {

constexpr std::size_t kFloatsPerCacheLine = 16;

/// Places parameters one after the other; a fused group begins on a cache line and has no gaps.
class LayoutBuilder
{
public:
    void add(std::string name, const Shape& shape)
    {
        m_end = (m_end + kFloatsPerCacheLine - 1) / kFloatsPerCacheLine * kFloatsPerCacheLine;
        addFused(std::move(name), shape);
    }

    void addFused(std::string name, const Shape& shape)
    {
        m_specs.push_back({std::move(name), shape, m_end});
        m_end += static_cast<std::size_t>(shape.elementCount());
    }

    void addNorm(const std::string& name, std::int64_t width)
    {
        add(name + ".weight", {width});
        add(name + ".bias", {width});
    }

    void addLinear(const std::string& name, std::int64_t out, std::int64_t in)
    {
        add(name + ".weight", {out, in});
        add(name + ".bias", {out});
    }

    void addQueryKeyValue(const std::string& block, std::int64_t width)
    {
        add(block + ".attn.q.weight", {width, width});
        addFused(block + ".attn.k.weight", {width, width});
        addFused(block + ".attn.v.weight", {width, width});
        add(block + ".attn.q.bias", {width});
        addFused(block + ".attn.k.bias", {width});
        addFused(block + ".attn.v.bias", {width});
    }

    std::vector<ParameterSpec> take() { return std::move(m_specs); }

private:
    std::vector<ParameterSpec> m_specs;
    std::size_t m_end = 0;
};

Tensor zeros(const std::vector<ParameterSpec>& specs)
{
    const ParameterSpec& last = specs.back();
    const std::size_t count = last.offset + static_cast<std::size_t>(last.shape.elementCount());
    try {
        return Tensor(Shape{static_cast<std::int64_t>(count)});
    } catch (const std::bad_alloc&) {
        throw Error(fmt::format("no memory for {} parameters", count), "ParameterSet",
                    "Choose a smaller model");
    }
}

} // namespace

std::vector<ParameterSpec> parameterLayout(const ModelConfig& config)
{
    config.validate();
    LayoutBuilder layout;
    layout.add("tok_emb.weight", {config.vocabularySize, config.dModel});
    if (config.positions == Positions::Learned)
        layout.add("pos_emb.weight", {config.maxLen, config.dModel});
    for (std::int64_t layer = 0; layer < config.layers; ++layer) {
        const std::string block = fmt::format("h.{}", layer);
        layout.addNorm(block + ".ln1", config.dModel);
        layout.addQueryKeyValue(block, config.dModel);
        layout.addLinear(block + ".attn.o", config.dModel, config.dModel);
        if (config.dFf == 0)
            continue;
        layout.addNorm(block + ".ln2", config.dModel);
        layout.addLinear(block + ".fc1", config.dFf, config.dModel);
        layout.addLinear(block + ".fc2", config.dModel, config.dFf);
    }
    layout.addNorm("ln_f", config.dModel);
    if (!config.tieEmbeddings)
        layout.add("head.weight", {config.vocabularySize, config.dModel});
    return layout.take();
}

std::int64_t parameterCount(const ModelConfig& config)
{
    std::int64_t count = 0;
    for (const ParameterSpec& spec : parameterLayout(config))
        count += spec.shape.elementCount();
    return count;
}

ParameterSet::ParameterSet(const ModelConfig& config)
    : m_specs(parameterLayout(config))
    , m_values(zeros(m_specs))
{
}

std::size_t ParameterSet::parameterCount() const
{
    std::size_t count = 0;
    for (const ParameterSpec& spec : m_specs)
        count += static_cast<std::size_t>(spec.shape.elementCount());
    return count;
}

const ParameterSpec& ParameterSet::spec(std::string_view name) const
{
    const auto found = std::find_if(m_specs.begin(), m_specs.end(),
                                    [&](const ParameterSpec& spec) { return spec.name == name; });
    if (found == m_specs.end())
        throw ShapeError(fmt::format("no parameter \"{}\"", name), "ParameterSet::view");
    return *found;
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
    return {m_values.data() + spec.offset, spec.shape};
}

MutableTensorView ParameterSet::view(const ParameterSpec& spec)
{
    return {m_values.data() + spec.offset, spec.shape};
}

} // namespace headscope
