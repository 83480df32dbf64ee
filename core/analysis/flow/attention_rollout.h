#pragma once

#include "core/trace/trace.h"

#include <span>
#include <stop_token>
#include <vector>

namespace headscope {

/// How the heads of a layer become one.
enum class HeadReduction {
    Mean, ///< Abnar, Zuidema 2020
    Max,  ///< the strongest head of each cell; rows are divided by their sums afterwards
    Min,  ///< what all heads agree on; likewise
};

/// What a layer does to the tokens' shares: M = (1 - r) reduce over heads of A + r I, rows divided
/// by their sums. For Mean the sums are 1 already. The variant that adds I without weights and
/// never divides is no share of anything and is not offered.
struct RolloutRule
{
    HeadReduction heads = HeadReduction::Mean;
    double residual = 0.5; ///< r: how much of each token's stream stays its own, 0 to 1

    friend bool operator==(const RolloutRule&, const RolloutRule&) = default;
};

/// M of one layer, [n, n], from its pattern [heads, n, n]. A row that sums to 0 (a query that sees
/// nothing, r = 0; heads that agree on nothing) stays its own token's. Throws ShapeError for
/// patterns of other shapes and Error for r outside 0 to 1.
Tensor layerMixing(TensorView pattern, const RolloutRule& rule = {});

/// How much of each token's stream after a layer comes from each input token, if feed-forward parts
/// mix nothing (Abnar, Zuidema 2020, section 3): R_l = M_l ... M_0. `patterns` are [heads, n, n],
/// first layer first; so many [n, n] are returned, whose rows sum to 1. Throws as layerMixing, and
/// Cancelled.
std::vector<Tensor> attentionRollout(std::span<const TensorView> patterns,
                                     const RolloutRule& rule = {},
                                     const std::stop_token& stop = {});

/// Of one stack's self-attention. Throws Error when the trace lacks the pattern of a layer.
std::vector<Tensor> attentionRollout(const Trace& trace, Stack stack = Stack::Blocks,
                                     const RolloutRule& rule = {},
                                     const std::stop_token& stop = {});

/// M of every layer of one stack: what rollout multiplies and flow takes as capacities.
std::vector<Tensor> layerMixings(const Trace& trace, Stack stack = Stack::Blocks,
                                 const RolloutRule& rule = {}, const std::stop_token& stop = {});

} // namespace headscope
