#pragma once

#include "core/analysis/heads/head_circuits.h"
#include "core/trace/trace.h"

#include <stop_token>
#include <vector>

namespace headscope {

/// Sum over the queries of the Jensen-Shannon divergence, in nats, of two heads' rows (Clark et al.
/// 2019, "What Does BERT Look At?", section 6). Patterns [n, m]. Throws ShapeError when their
/// shapes differ.
double headDistance(TensorView a, TensorView b);

/// All pairs of heads of one stack's self-attention on one text.
struct HeadDistances
{
    std::vector<HeadId> heads; ///< Ordered layer by layer.
    Tensor sums;               ///< Sums [heads, heads]: symmetric, 0 on the diagonal.
    std::int64_t queries = 0;  ///< Number of compared rows.
    std::int64_t tokens = 0;   ///< Number of all rows.

    /// Mean per query: 0 to ln 2, comparable between texts.
    double mean(std::size_t a, std::size_t b) const;

    std::optional<std::size_t> indexOf(const HeadId& head) const;
};

/// Above `queryLimit` tokens, that many evenly spaced rows, including the last, are compared: time
/// and memory grow with heads^2 * queries * tokens. Over several threads. Without patterns there
/// are no heads. Throws Cancelled.
HeadDistances headDistances(const Trace& trace, Stack stack = Stack::Blocks,
                            const std::stop_token& stop = {}, std::int64_t queryLimit = 256);

/// The heads that behave most like a given one, nearest first, itself excluded; ties by their
/// order.
std::vector<std::size_t> nearestHeads(const HeadDistances& distances, std::size_t head,
                                      std::size_t count);

} // namespace headscope
