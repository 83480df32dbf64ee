#pragma once

#include "core/tensor/tensor.h"

namespace headscope {

// Numbers of one pattern: attention of query i to key j after softmax, rows sum to 1. The rows of a
// HeadScoreTable consist of them. All sums in double. A mean over no positions (a score from i >= 1
// on for a single token, a period as long as the text) is NaN: not defined rather than 0. Patterns
// are [n, n] unless another shape is given.

/// H_i = -sum_j A_ij ln A_ij in nats, 0 ln 0 = 0 (Vig, Belinkov 2019; Clark et al. 2019).
struct PatternEntropy
{
    double mean = 0.0; ///< Mean over all rows.
    /// Mean of H_i / ln(number of keys visible to row i) over rows with at least two.
    double normalised = 0.0;
};

/// Entropy of a pattern [n, m]. Row i can attend to all m keys if `seesAhead`, otherwise to the
/// first i + 1, or to more where it has weight on later ones.
PatternEntropy entropyOf(TensorView pattern, bool seesAhead);

double previousTokenScore(TensorView pattern); ///< Mean over i >= 1 of A[i, i - 1].
double selfScore(TensorView pattern);          ///< Mean of A[i, i].
double firstTokenMass(TensorView pattern);     ///< Mean over i >= 1 of A[i, 0].
double sinkMass(TensorView pattern);           ///< [n, m]: mean over all i of A[i, 0].

/// Stripes on [prefix,] r, r with r of `period` random tokens: the mean over the second copy of
/// A[i, i - (period - 1)] (induction) and of A[i, i - period] (duplicate token). `prefix` tokens
/// precede the first copy.
double inductionStripe(TensorView pattern, std::int64_t period, std::int64_t prefix);
double duplicateStripe(TensorView pattern, std::int64_t period, std::int64_t prefix);

struct Distance
{
    double mean = 0.0; ///< Mean distance, sum A |i - j| / sum A.
    double variance = 0.0;
    double mass = 0.0; ///< Total weight, sum A.
};

Distance meanDistance(TensorView pattern);

} // namespace headscope
