#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/attention_cases.h"

#include <string>

namespace headscope {

struct AttentionComparison
{
    bool supported = true;     ///< false: the backend declined these operands, nothing was run
    double largestError = 0.0; ///< absolute, over all results
    std::string problem;       ///< "" or the worst mismatch: which result, where, both values
};

/// Runs forward and backward and compares context, pattern, scores, log-sum-exp and every gradient
/// with ReferenceAttention. Results start as NaN, so an unwritten element is a mismatch; elements
/// beside the results must stay untouched.
AttentionComparison compareWithReference(AttentionBackend& backend, const AttentionCase& test,
                                         std::uint64_t seed = 1);

} // namespace headscope
