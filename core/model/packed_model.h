#pragma once

#include "core/model/packed_linear.h"
#include "core/model/parameters.h"

namespace headscope {

/// Scale and shift of one layer normalisation.
struct PackedNorm
{
    Tensor weight;
    Tensor bias;
};

struct PackedBlock
{
    PackedNorm attentionNorm;
    PackedLinear queryKeyValue; ///< [3 d, d]
    PackedLinear attentionOut;
    PackedNorm feedForwardNorm; ///< this and the rest are empty when d_ff is 0
    PackedLinear expand;
    PackedLinear contract;
};

/// A copy of a model's parameters in the order in which a forward pass reads them. The embedding
/// tables stay where they are. Immutable.
struct PackedModel
{
    PackedModel(const ModelConfig& config, const ParameterSet& parameters);

    std::vector<PackedBlock> blocks;
    PackedNorm finalNorm;
    PackedLinear head;
    Tensor sinusoids; ///< [maxLen, d], sinusoidal positions only
};

} // namespace headscope
