#pragma once

#include "core/model/positions/position_tables.h"
#include "core/ops/relative_bias.h"
#include "core/tensor/tensor.h"

#include <cstdint>
#include <vector>

namespace headscope {

/// Memory of one thread's runs: taken when a larger one comes, kept for the next.
struct Workspace
{
    Tensor arena;
    Tensor pattern;
    Tensor patternGradient;
    Tensor scores;
    Tensor logits;
    Tensor positionBias;         ///< [heads, query tokens, key tokens]
    Tensor positionBiasGradient; ///< the same, summed over the layers
    Tensor layerBiasGradient;    ///< the same, of one layer
    Tensor tokenRow;             ///< [d], of a stored table
    Tensor notes;                ///< copies that an intervention may change
    std::vector<std::uint8_t> attentionKeep;
    std::vector<std::uint8_t> allowed;
    std::vector<std::vector<std::int32_t>> expertRows; ///< [layer * experts]: rows sent there
    std::vector<float> expertScales;                   ///< of one expert's rows
    std::vector<double> expertLoads;                   ///< of one sequence
    Tensor pooled;                                     ///< of the sentence head
    std::vector<Tensor> keptPatterns;                  ///< [2 layer + cross]: gradient traces only
    RelativeBiasScratch relativeBias;
    RopeSettings ropeSettings; ///< of `positions`
    PositionTables positions;  ///< where the model's own do not fit the run

    /// A view of `storage`, which grows when it is too small.
    static MutableTensorView take(Tensor& storage, const Shape& shape);
};

} // namespace headscope
