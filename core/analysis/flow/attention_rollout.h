#pragma once

#include "core/trace/trace.h"

#include <span>
#include <stop_token>
#include <vector>

namespace headscope {

/// Reduction of the heads of a layer to one matrix.
enum class HeadReduction {
    Mean, ///< Mean over heads (Abnar, Zuidema 2020).
    Max,  ///< Largest weight of each cell; rows are renormalised afterwards.
    Min,  ///< Smallest weight of each cell; rows are renormalised afterwards.
};

/// Mixing of the tokens' contributions by one layer: M = (1 - r) reduce over heads of A + r I, rows
/// renormalised. For Mean the sums are 1 already. The variant that adds I without weights and never
/// renormalises does not give fractions and is not offered.
struct RolloutRule
{
    HeadReduction heads = HeadReduction::Mean;
    double residual = 0.5; ///< R: fraction of each token's stream that remains its own, 0 to 1.

    friend bool operator==(const RolloutRule&, const RolloutRule&) = default;
};

/// M of one layer, [n, n], from its pattern [heads, n, n]. A row that sums to 0 (a query that
/// attends to nothing, r = 0; heads without a common key) becomes that of the identity. Throws
/// ShapeError for patterns of other shapes and Error for r outside 0 to 1.
Tensor layerMixing(TensorView pattern, const RolloutRule& rule = {});

/// Attention rollout: the contribution of each input token to each token's stream after a layer, if
/// MLPs mix no tokens (Abnar, Zuidema 2020, section 3): R_l = M_l ... M_0. `patterns` are [heads,
/// n, n], first layer first; returns as many [n, n], whose rows sum to 1. Throws as layerMixings,
/// and Cancelled.
std::vector<Tensor> attentionRollout(std::span<const TensorView> patterns,
                                     const RolloutRule& rule = {},
                                     const std::stop_token& stop = {});

/// Attention rollout of one stack's self-attention. Throws Error when the trace lacks the pattern
/// of a layer.
std::vector<Tensor> attentionRollout(const Trace& trace, Stack stack = Stack::Blocks,
                                     const RolloutRule& rule = {},
                                     const std::stop_token& stop = {});

/// M of every layer of one stack: the factors of rollout and the capacities of flow.
std::vector<Tensor> layerMixings(const Trace& trace, Stack stack = Stack::Blocks,
                                 const RolloutRule& rule = {}, const std::stop_token& stop = {});

} // namespace headscope
