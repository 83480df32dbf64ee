#pragma once

#include "core/model/config/model_config.h"
#include "core/model/weights/stored_parameter.h"
#include "core/tensor/tensor.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// One named parameter inside the flat buffer.
struct ParameterSpec
{
    std::string name; ///< Name such as "h.0.attn.q.weight".
    Shape shape;      ///< Linear weights are [out, in].
    std::size_t offset = 0;
};

/// Names, shapes and offsets of all parameters of a configuration, in a fixed order: embeddings,
/// encoder, blocks, final norm, heads. Linear layers, those of the heads too, have a bias where
/// configured; norms of the RMS kinds have none. BatchNorm has .running_mean and .running_var as well.
///
/// tok_emb, enc.tok_emb (a source with its own matrix), type_emb, pos_emb, ln_emb, rel_bias (these
/// three once per stack: enc.pos_emb and dec.pos_emb in an encoder-decoder). Blocks B = h.L, or
/// enc.L and dec.L: B.ln1, B.attn.{q,k,v,o}, B.ln_cross and B.cross.{q,k,v,o}, B.ln2, and
/// B.{fc1,fc2} or B.{gate,up,down}, or B.router and the same in B.expert.E. Latent attention has
/// B.attn.{q_down,q_norm,q_up} or q, and {kv_down,kv_norm,kv_up} for q, k and v. Post-norm blocks
/// have the same names, each norm following what it precedes otherwise, and so have blocks that
/// normalise what a sublayer adds; blocks that normalise both have B.{ln1,ln2}_out too. Norms of
/// queries and keys are B.attn.{q_norm,k_norm}, logits of attention sinks B.attn.sinks.bias [heads].
/// A shared expert beside B.expert.E is B.shared.{fc1,fc2} or {gate,up,down}, its factor's logit
/// B.shared.scale.weight [1, d]. Embeddings of another width than d are followed by emb_proj. A layer
/// whose attention reads the residual stream has no B.ln1.
/// ln_f and enc.ln_f (unless post-norm), head.{dense,ln}, head, pooler, next_sentence.
///
/// Fused groups are contiguous, weights together and biases together: [q;k;v], in cross-attention
/// [k;v], and [gate;up]. Validates the configuration first.
std::vector<ParameterSpec> parameterLayout(const ModelConfig& config);

/// Exact number of parameters, biases included, running statistics not.
std::int64_t parameterCount(const ModelConfig& config);

class LazyParameters;

/// New values for one parameter of a set.
struct ReplacedParameter
{
    std::size_t index = 0; ///< Index in ParameterSet::specs().
    Tensor values;         ///< Values, in the parameter's shape.
};

/// All parameters (or all gradients, or an optimizer moment) in one 64-byte aligned buffer, or
/// parameters that stay where a file stores them. Stored ones are unpacked into such a buffer on
/// first access, each once; before one is changed, all of them are copied into a buffer of their
/// own. Reading is safe from any number of threads.
class ParameterSet
{
public:
    ParameterSet() = default;
    /// Zeros; throws Error when memory is insufficient.
    explicit ParameterSet(const ModelConfig& config);

    /// Takes one of `stored` for every parameter of the layout, in its order. Throws ShapeError
    /// naming the one that does not fit.
    ParameterSet(const ModelConfig& config, std::vector<StoredParameter> stored);

    /// Shares all parameters of `base` but the replaced ones. Throws ShapeError for values whose
    /// shape is not that of the parameter.
    ParameterSet(const std::shared_ptr<const ParameterSet>& base,
                 std::vector<ReplacedParameter> replaced);

    const std::vector<ParameterSpec>& specs() const { return m_specs; }

    std::span<float> values();
    std::span<const float> values() const; ///< Unpacks all stored parameters.

    std::size_t parameterCount() const; ///< Number of values without alignment padding.

    /// Throws FormatError if a file that holds stored parameters was truncated or written to since
    /// it was opened: what was computed from them may be wrong.
    void requireUnchanged() const;

    /// Null unless the parameters stay where they are stored.
    const LazyParameters* stored() const { return m_stored.get(); }

    /// Views `shape` floats from `offset` on: one parameter, or a fused group.
    TensorView at(std::size_t offset, const Shape& shape) const;

    const ParameterSpec* find(std::string_view name) const; ///< Null when there is none.

    /// Finds a parameter by name; throws ShapeError naming it when there is none.
    TensorView view(std::string_view name) const;
    MutableTensorView view(std::string_view name);
    TensorView view(const ParameterSpec& spec) const;
    MutableTensorView view(const ParameterSpec& spec);

private:
    const ParameterSpec& spec(std::string_view name) const;
    void own();

    std::vector<ParameterSpec> m_specs;
    Tensor m_values;
    std::shared_ptr<const LazyParameters> m_stored; ///< Used instead of m_values.
};

} // namespace headscope
