#pragma once

#include "core/analysis/flow/contributions.h"

#include <stop_token>
#include <vector>

namespace headscope {

/// Value-aware contributions by the l1 rule (Ferrando, Voita 2024, "Information Flow Routes";
/// Ferrando et al. 2022, ALTI): for y = sum of parts p_k, s_k = max(|y|_1 - |y - p_k|_1, 1e-5) and
/// the contribution c_k = s_k / sum of s.

/// Contributions to one token's stream after an attention sublayer, y_i = x_i + b_O + sum over
/// heads and keys of A_hij f_h(x_j), before any norm after it. Each (head, key) is a part, and so
/// are the residual x_i and, where the model has one, the output bias: unlike in the paper's code,
/// where it is in y but not a part. Masked keys (weight 0) are not parts and contribute nothing,
/// not even 1e-5. The output of replaced heads is the part `replaced` (all such heads together).
/// All contributions to one token sum to 1.
struct ValueContributions
{
    Tensor heads;    ///< Contributions of the pairs [h, n, m].
    Tensor residual; ///< Contributions of the residual [n].
    Tensor bias;     ///< Contributions of the bias [n]; empty without an output bias.
    Tensor replaced; ///< Contributions of replaced heads [n]; empty unless heads were replaced.
    std::vector<int> replacedHeads;
};

/// Contributions to all queries. Throws Error when the trace lacks the pattern, the values or the
/// stream before, and Cancelled.
ValueContributions valueContributions(const Trace& trace, const Model& model, SublayerIndex place,
                                      const std::stop_token& stop = {});

/// Contributions to each token, renormalised; a token without any keeps none.
ValueContributions renormalised(ValueContributions contributions);

} // namespace headscope
