#pragma once

#include "core/analysis/difference/prediction_divergence.h"
#include "core/analysis/difference/weight_difference.h"
#include "core/trace/head_id.h"
#include "core/trace/trace.h"

#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

/// How far one head of B has moved from the same head of A.
struct HeadDifference
{
    HeadId head;
    double divergence = 0.0; ///< Jensen-Shannon, mean over the queries, in bits, 0 to 1.
    double largest = 0.0;    ///< Largest row, in bits.
    int query = -1;          ///< Token that attends in that row; -1: no row differs.
};

/// How far the prediction after one token has moved.
struct TokenDifference
{
    int position = 0;
    TokenId id = 0;
    PredictionDivergence prediction;
};

/// Differences of two traces of the same tokens, aligned by layer and head.
struct TraceDifference
{
    std::vector<HeadDifference> heads;   ///< Heads that both have, in the order of the computation.
    std::string headsMissing;            ///< Why there are none, in one sentence.
    int unmatchedHeads = 0;              ///< Heads of A or B that the other lacks.
    std::vector<TokenDifference> tokens; ///< By position.
    std::string tokensMissing;           ///< Why there are none, in one sentence.

    /// Mean over the tokens of the divergence in bits; NaN where there are none.
    double meanBits() const;
};

/// Why two traces cannot be compared token by token, in one sentence; empty where they can: both
/// have the same tokens.
std::string whyNotComparable(const Trace& a, const Trace& b);

/// Throws Cancelled. Traces that are not comparable have no heads and no tokens.
TraceDifference traceDifference(const Trace& a, const Trace& b, const std::stop_token& stop = {});

// Largest difference first; equal ones in order, undefined ones (NaN) last.
std::vector<HeadDifference> ranked(std::vector<HeadDifference> heads);
std::vector<TokenDifference> ranked(std::vector<TokenDifference> tokens);
std::vector<MatrixDifference> ranked(std::vector<MatrixDifference> matrices);

} // namespace headscope
