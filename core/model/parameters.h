#pragma once

#include "core/model/model_config.h"
#include "core/tensor/tensor.h"

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// One named parameter inside the flat buffer.
struct ParameterSpec
{
    std::string name; ///< "h.0.attn.q.weight"
    Shape shape;      ///< linear weights are [out, in]
    std::size_t offset = 0;
};

/// Names, shapes and places of all parameters of a configuration, in a fixed order. q, k and v of a
/// block lie one after the other, weights together and biases together, so that [q;k;v] is also one
/// fused [3 d, d] matrix. Names: tok_emb.weight, pos_emb.weight (learned positions),
/// h.L.{ln1,attn.{q,k,v,o},ln2,fc1,fc2}.{weight,bias}, ln_f.{weight,bias}, head.weight (untied).
/// Validates the configuration first.
std::vector<ParameterSpec> parameterLayout(const ModelConfig& config);

/// Exact number of parameters, biases included.
std::int64_t parameterCount(const ModelConfig& config);

/// All parameters (or all gradients, or an optimizer moment) in one 64-byte aligned buffer.
class ParameterSet
{
public:
    ParameterSet() = default;
    explicit ParameterSet(const ModelConfig& config); ///< zeros; Error when memory is short

    const std::vector<ParameterSpec>& specs() const { return m_specs; }

    std::span<float> values() { return m_values.values(); }

    std::span<const float> values() const { return m_values.values(); }

    std::size_t parameterCount() const; ///< without alignment padding

    /// By name: throws ShapeError naming it when there is none.
    TensorView view(std::string_view name) const;
    MutableTensorView view(std::string_view name);
    TensorView view(const ParameterSpec& spec) const;
    MutableTensorView view(const ParameterSpec& spec);

private:
    const ParameterSpec& spec(std::string_view name) const;

    std::vector<ParameterSpec> m_specs;
    Tensor m_values;
};

} // namespace headscope
