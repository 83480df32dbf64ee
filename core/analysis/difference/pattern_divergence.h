#pragma once

#include "core/tensor/tensor.h"

namespace headscope {

/// Jensen-Shannon divergence of two rows of attention weights, in bits: H((p + q) / 2) minus the
/// mean of H(p) and H(q) (Lin 1991, "Divergence Measures Based on the Shannon Entropy"). 0: equal,
/// 1: disjoint. What a row lacks to 1 is the weight of its attention sink, one more key that both
/// rows share; a row that an edit has made larger than 1 is divided by its sum. Masked cells are 0
/// and contribute nothing. NaN if a weight is NaN. Rows have equally many keys.
double rowDivergence(std::span<const float> p, std::span<const float> q);

/// Divergence of two patterns [n, m] of one head, and its largest row.
struct PatternDivergence
{
    double mean = 0.0;    ///< Mean of rowDivergence() over the queries, in bits; 0 without any.
    double largest = 0.0; ///< Largest row, in bits.
    int query = -1;       ///< Query of that row, the first of equal ones; -1: none differs.
};

/// Throws ShapeError when the shapes differ.
PatternDivergence patternDivergence(TensorView a, TensorView b);

} // namespace headscope
