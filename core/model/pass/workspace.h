#pragma once

#include "core/model/positions/position_tables.h"
#include "core/ops/relative_bias.h"
#include "core/tensor/tensor.h"

#include <cstdint>
#include <vector>

namespace headscope {

/// Memory of one thread's passes: grows when needed and is reused by the next.
struct Workspace
{
    Tensor arena;
    Tensor pattern;
    Tensor patternGradient;
    Tensor scores;
    Tensor logits;
    Tensor cappedLogits; ///< Logits whose gradients replace them, where they are capped.
    Tensor positionBias; ///< Position bias [heads, query tokens, key tokens].
    /// Gradient of the position bias [heads, query tokens, key tokens], summed over the layers.
    Tensor positionBiasGradient;
    /// Gradient of the bias [heads, query tokens, key tokens] in one layer.
    Tensor layerBiasGradient;
    Tensor tokenRow; ///< One token's row [d] of a stored matrix.
    Tensor notes;    ///< Copies that an intervention may change.
    std::vector<std::uint8_t> attentionKeep;
    std::vector<std::uint8_t> allowed;
    /// Rows sent to each expert, indexed by [layer * experts].
    std::vector<std::vector<std::int32_t>> expertRows;
    std::vector<float> expertScales; ///< Weights of one expert's rows.
    std::vector<double> expertLoads; ///< Loads of one sequence.
    Tensor pooled;                   ///< Values of the next-sentence head.
    /// Retained patterns [2 layer + cross], in gradient traces only.
    std::vector<Tensor> retainedPatterns;
    RelativeBiasScratch relativeBias;
    std::vector<RopeSettings> ropeSettings; ///< Settings that `positions` was computed for.
    std::vector<RopeSettings> wantedRopes;  ///< Settings that a pass needs.
    PositionTables positions; ///< Used where the model's own tables do not fit the pass.

    /// Views `storage`, which grows when it is too small.
    static MutableTensorView take(Tensor& storage, const Shape& shape);
};

} // namespace headscope
