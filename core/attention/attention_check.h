#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/attention_cases.h"

#include <string>

namespace headscope {

struct AttentionComparison
{
    bool supported = true; ///< False: the backend declined these operands, so nothing was computed.
    double largestError = 0.0; ///< Largest absolute error over all results.
    std::string problem; ///< Worst mismatch: which result, where, both values; "" without any.
};

/// Runs forward and backward and compares context, pattern, scores, log-sum-exp and every gradient
/// with ReferenceAttention. Results start as NaN, so an unwritten element is a mismatch; elements
/// outside the results must remain unchanged.
AttentionComparison compareWithReference(AttentionBackend& backend, const AttentionCase& test,
                                         std::uint64_t seed = 1);

} // namespace headscope
