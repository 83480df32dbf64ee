#pragma once

#include "core/trace/trace.h"

#include <optional>

namespace headscope {

/// One token's logit and probability in two forward passes.
struct NextTokenChange
{
    TokenId id = 0;
    double logitA = 0.0;
    double logitB = 0.0;
    double probabilityA = 0.0;
    double probabilityB = 0.0;
};

/// The token whose probability after these positions differs most; of equal ones the lowest id.
/// Empty without logits or with vocabularies of different sizes. Throws ShapeError for a position
/// that a trace does not have.
std::optional<NextTokenChange> largestNextTokenChange(const Trace& a, std::int64_t positionA,
                                                      const Trace& b, std::int64_t positionB);

/// Mean of -ln p of the tokens that actually follow; empty without logits or with a single token.
std::optional<double> meanLoss(const Trace& trace);

/// Weight moved within a pattern [n, m]: mean over its rows of half the sum of |b - a|, 0 none, 1
/// all. Throws ShapeError when the shapes differ.
double movedWeight(TensorView a, TensorView b);

} // namespace headscope
