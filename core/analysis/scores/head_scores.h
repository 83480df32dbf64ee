#pragma once

#include "core/text/tokenizers/tokenizer.h"
#include "core/trace/trace.h"

#include <span>
#include <stop_token>
#include <vector>

namespace headscope {

// Scores of one head. A pattern is [n, n]: attention of query i to key j after softmax, rows sum
// to 1. All sums in double. A mean over no positions (a score from i >= 1 on for a single token, a
// period as long as the text) is NaN: not defined rather than 0.

/// H_i = -sum_j A_ij ln A_ij in nats, 0 ln 0 = 0 (Vig, Belinkov 2019; Clark et al. 2019).
std::vector<double> entropyRows(TensorView pattern);
double meanEntropy(TensorView pattern);

/// Mean over i >= 1 of H_i / ln(i + 1): 1 for a head that looks evenly at all earlier tokens.
double normalisedEntropy(TensorView pattern);

/// Mean of A[i, i - lag] over the queries from `firstQuery` on.
double stripeScore(TensorView pattern, std::int64_t lag, std::int64_t firstQuery);

double previousTokenScore(TensorView pattern); ///< mean over i >= 1 of A[i, i - 1]
double selfScore(TensorView pattern);          ///< mean of A[i, i]
double firstTokenMass(TensorView pattern);     ///< mean over i >= 1 of A[i, 0]

/// Share of all attention that falls on the cells of an ideal head, sum(A P) / sum(A).
double previousTokenFraction(TensorView pattern); ///< P: j = i - 1
/// P: same token, j < i.
double duplicateTokenFraction(TensorView pattern, std::span<const TokenId> ids);
/// P: the token before j equals token i, 1 <= j <= i.
double inductionFraction(TensorView pattern, std::span<const TokenId> ids);

/// 1 - n mean|A - P| with the P of inductionFraction: the "abs" convention.
double inductionMatch(TensorView pattern, std::span<const TokenId> ids);

/// Sum of A[q, p + 1] over every earlier p with the token of q, attention below `threshold` counted
/// as 0, per query that has an earlier copy. With threshold 0 on random tokens repeated four times:
/// prefix matching (Olsson et al. 2022).
double inductionOnText(TensorView pattern, std::span<const TokenId> ids, double threshold = 0.01);

/// On [prefix,] r, r with r of `period` random tokens: the mean over the second copy of A[i, i -
/// (period - 1)] (induction) and of A[i, i - period] (duplicate token). `prefix` tokens stand
/// before the first copy.
double inductionStripe(TensorView pattern, std::int64_t period, std::int64_t prefix);
double duplicateStripe(TensorView pattern, std::int64_t period, std::int64_t prefix);

struct Distance
{
    double mean = 0.0; ///< sum A |i - j| / sum A
    double variance = 0.0;
};

Distance meanDistance(TensorView pattern);

/// Everything about one head on one text.
struct HeadScores
{
    double entropy = 0.0;
    double entropyNormalised = 0.0;
    double previousToken = 0.0;
    double previousTokenFraction = 0.0;
    double self = 0.0;
    double firstToken = 0.0;
    double duplicateToken = 0.0; ///< duplicateTokenFraction
    double induction = 0.0;      ///< inductionFraction
    double inductionOnText = 0.0;
    double distance = 0.0;
};

HeadScores headScores(TensorView pattern, std::span<const TokenId> ids);

/// [layer][head] of a trace that holds patterns; a layer without one has no heads. Over several
/// threads. Throws Cancelled.
std::vector<std::vector<HeadScores>> headScores(const Trace& trace,
                                                const std::stop_token& stop = {});

/// alpha_k = mean over i >= k of A[i, k]; the share of all heads with alpha_k > epsilon
/// (Gu et al. 2024). NaN for a trace without patterns.
double sinkRate(const Trace& trace, std::int64_t key = 0, double epsilon = 0.3);

} // namespace headscope
