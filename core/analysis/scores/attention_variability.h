#pragma once

#include "core/trace/trace.h"

#include <span>
#include <vector>

namespace headscope {

/// Dependence of a head's attention on the text (Vig, Belinkov 2019, "Analyzing the Structure of
/// Attention in a Transformer Language Model"): sum over texts and cells of |A - mean over texts of
/// A| / (2 sum of A), on the first `positions` queries and keys. 0: the same pattern for every
/// text, by position alone; towards 1: by content alone. `patterns` are [n, m] of one head on
/// several texts, none shorter than `positions` in either dimension. NaN for fewer than two texts,
/// for no positions and without attention. Throws ShapeError for a shorter one.
double attentionVariability(std::span<const TensorView> patterns, std::int64_t positions);

struct Variability
{
    std::int64_t positions = 0; ///< Number of leading positions of every text.
    std::size_t texts = 0;
    std::vector<std::vector<double>> heads; ///< Variability by [layer][head].
};

/// Variability of every head of one stack, on as many positions as the shortest text has, at most
/// `positions`. Throws ShapeError for traces of models with different layers or heads, Error
/// without a pattern.
Variability attentionVariability(std::span<const TracePtr> traces, Stack stack = Stack::Blocks,
                                 std::int64_t positions = 64);

} // namespace headscope
