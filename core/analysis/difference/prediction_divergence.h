#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <span>

namespace headscope {

/// Predictions of two models after the same token.
struct PredictionDivergence
{
    /// Kullback-Leibler divergence KL(A || B) in bits: sum of p_A log2(p_A / p_B), the bits that are
    /// lost when A's prediction is coded by B's. 0: equal; infinite where B rules out what A allows;
    /// NaN where a prediction is not defined (see areUsable()).
    double bits = 0.0;
    TokenId topA = 0; ///< Top-1 token of A; of equal ones the lowest id.
    TokenId topB = 0;
    double probabilityA = 0.0; ///< Probability of topA in A.
    double probabilityB = 0.0; ///< Probability of topB in B.
};

/// From the logits of A and of B, at least one. Throws ShapeError when their numbers differ.
PredictionDivergence predictionDivergence(std::span<const float> logitsA,
                                          std::span<const float> logitsB);

} // namespace headscope
