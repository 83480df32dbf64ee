#include "core/model/recurrent/recurrent_model.h"

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/model/recurrent/recurrent_pass.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace headscope {

namespace {

void fillUniform(std::span<float> values, double bound, Random& random)
{
    std::ranges::generate(
        values, [&] { return static_cast<float>(bound * (2.0 * random.uniform() - 1.0)); });
}

} // namespace

std::size_t RecurrentMemory::byteCount() const
{
    std::size_t floats = 0;
    for (const RecurrentState& state : layers)
        floats += state.hidden.size() + state.cell.size();
    return floats * sizeof(float);
}

RecurrentModel::RecurrentModel(const RecurrentConfig& config)
    : m_config(config)
    , m_layout(recurrentLayout(config))
    , m_values(Shape{parameterCount(config)})
{
}

RecurrentModel RecurrentModel::initialised(const RecurrentConfig& config, std::uint64_t seed)
{
    RecurrentModel model(config);
    const double bound = 1.0 / std::sqrt(static_cast<double>(config.hidden));
    std::uint64_t stream = 0;
    for (const ParameterSpec& spec : model.m_layout) {
        Random random(seed, stream++);
        const auto size = static_cast<std::size_t>(spec.shape.elementCount());
        const std::span<float> values = model.values().subspan(spec.offset, size);
        if (spec.name == "tok_emb.weight")
            std::ranges::generate(values, [&] { return static_cast<float>(random.normal()); });
        else
            fillUniform(values, bound, random);
        const bool hasGates = spec.name.starts_with("h.") && spec.name.ends_with(".bias");
        if (hasGates && config.kind == RecurrentKind::Lstm) {
            const auto units = static_cast<std::size_t>(config.hidden);
            std::ranges::fill(values.subspan(units, units), static_cast<float>(config.forgetBias));
        }
    }
    return model;
}

TensorView RecurrentModel::view(std::string_view name) const
{
    const auto found = std::ranges::find(m_layout, name, &ParameterSpec::name);
    if (found == m_layout.end())
        throw ShapeError(fmt::format("no such parameter: \"{}\"", name), "RecurrentModel::view");
    return {m_values.data() + found->offset, found->shape};
}

RecurrentMemory RecurrentModel::emptyMemory(std::int64_t rows) const
{
    RecurrentMemory memory;
    for (std::int64_t layer = 0; layer < m_config.layers; ++layer)
        memory.layers.push_back(emptyState(m_config.kind, rows, m_config.hidden));
    return memory;
}

Tensor RecurrentModel::forward(std::span<const TokenId> ids, RecurrentMemory& memory) const
{
    RecurrentPass pass(m_config);
    const TensorView logits = pass.forward(*this, {ids, 1}, memory);
    Tensor result(logits.shape);
    std::copy_n(logits.data, result.size(), result.data());
    return result;
}

} // namespace headscope
