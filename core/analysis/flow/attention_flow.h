#pragma once

#include "core/analysis/flow/attention_rollout.h"

#include <span>
#include <stop_token>
#include <vector>

namespace headscope {

/// Attention flow (Abnar, Zuidema 2020, section 3): nodes (level, token), an edge from (l + 1, i)
/// to (l, j) with capacity mixing[l](i, j); the value for (i, j) is the maximum flow from token i
/// after the last layer to token j of the input. Exact (Dinic 1970), in double. Values of one query
/// do not sum to 1: each is a separate flow.

/// Texts with more tokens are refused: one value takes time at least proportional to layers *
/// tokens^2.
constexpr std::int64_t kLargestFlow = 256;

/// Flow [n] from one query to every token of the input, over several threads. `mixing` are [n, n],
/// first layer first, as returned by layerMixings. Throws ShapeError for other shapes and a query
/// out of range, Error above `largest` tokens, Cancelled.
std::vector<double> attentionFlowToAll(std::span<const Tensor> mixing, std::int64_t query,
                                       const std::stop_token& stop = {},
                                       std::int64_t largest = kLargestFlow);

} // namespace headscope
