#pragma once

#include "core/analysis/flow/contributions.h"

#include <stop_token>
#include <vector>

namespace headscope {

/// Value-aware contributions by the l1 rule (Ferrando, Voita 2024, "Information Flow Routes";
/// Ferrando et al. 2022, ALTI): of y = sum of parts p_k, s_k = max(|y|_1 - |y - p_k|_1, 1e-5), the
/// share c_k = s_k / sum of s.

/// What one token's stream after an attention sublayer is made of, y_i = x_i + b_O + sum over heads
/// and keys of A_hij f_h(x_j), before any norm behind it. Each (head, key) is a part, and so are
/// the residual x_i and, where the model has one, the output bias: unlike in the paper's code,
/// where it is in y but no part. Hidden keys (weight 0) are no parts and have no share, not even
/// 1e-5. What a replaced head wrote instead is the part `replaced` (all such heads together). All
/// shares of one token sum to 1.
struct ValueContributions
{
    Tensor heads;    ///< [h, n, m]
    Tensor residual; ///< [n]
    Tensor bias;     ///< [n]; empty without an output bias
    Tensor replaced; ///< [n]; empty unless heads were replaced
    std::vector<int> replacedHeads;

    Tensor tokens() const; ///< [n, m]: summed over the heads
};

/// Of all queries. Throws Error when the trace lacks the pattern, the values or the stream before,
/// and Cancelled.
ValueContributions valueContributions(const Trace& trace, const Model& model, SublayerPlace place,
                                      const std::stop_token& stop = {});

/// Each token's shares divided by what is left of them; a token without any keeps none.
ValueContributions renormalised(ValueContributions shares);

} // namespace headscope
