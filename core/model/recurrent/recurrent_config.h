#pragma once

#include "core/model/recurrent/recurrent_layer.h"
#include "core/model/weights/parameters.h"

#include <vector>

namespace headscope {

/// A recurrent language model: embedding, layers one above the other, unembedding.
struct RecurrentConfig
{
    RecurrentKind kind = RecurrentKind::Lstm;
    std::int64_t vocabularySize = 0;
    std::int64_t hidden = 64; ///< Size of a state, and of an embedding.
    std::int64_t layers = 1;
    /// Initial bias of an LSTM's forget gate: 1 lets the cell remember from the start (Jozefowicz
    /// et al. 2015).
    double forgetBias = 1.0;

    void validate() const; ///< Throws Error naming the field.

    friend bool operator==(const RecurrentConfig&, const RecurrentConfig&) = default;
};

/// Parameters in order: tok_emb.weight [V, hidden]; of each layer h.L.{inputs,states}.weight [g *
/// hidden, hidden] and h.L.bias [g * hidden], see RecurrentWeights; head.weight [V, hidden] and
/// head.bias [V]. Validates.
std::vector<ParameterSpec> recurrentLayout(const RecurrentConfig& config);

std::int64_t parameterCount(const RecurrentConfig& config);

/// Returns `config` with the size of the state whose parameter count is nearest to `parameters`.
RecurrentConfig withParameters(RecurrentConfig config, std::int64_t parameters);

} // namespace headscope
