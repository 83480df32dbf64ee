#pragma once

#include "core/model/pass/tracer.h"

#include <cstdint>
#include <vector>

namespace headscope {

/// Address of one attention sublayer of a trace.
struct SublayerIndex
{
    Stack stack = Stack::Blocks;
    int layer = 0;
    bool cross = false;
};

enum class ContributionMeasure {
    /// Length of a part divided by the sum of all lengths (Kobayashi et al. 2020, section 3).
    Length,
    /// Distance by which a part brings the sum y nearer, |y| - |y - part|, at least 0, divided by
    /// the sum of these (Ferrando et al. 2022, section 3.2, with Euclidean instead of their l1
    /// lengths, so that dot products suffice).
    Distance,
};

/// Contributions to each token i's stream after an attention sublayer, before any norm after it:
/// y_i = x_i + b + sum over j of f_ij with f_ij = sum over heads of A_hij v_hj W_O^h. The bias
/// belongs to no token and has no contribution. Rows of `tokens` and `residual` sum to 1.
struct SublayerContributions
{
    Tensor tokens;   ///< Contributions of f_ij, [n, m].
    Tensor residual; ///< Contributions of x_i, [n].
    /// Heads whose output an intervention replaced: it comes from no token and has no contribution.
    std::vector<int> replacedHeads;
};

/// Throws Error when the trace lacks the pattern, the values, the stream before or, for Distance,
/// the sublayer's output.
SublayerContributions sublayerContributions(const Trace& trace, const Model& model,
                                            SublayerIndex place, ContributionMeasure measure);

/// Terms f_ij of one token, [m, d]. With the bias they sum to the recorded output of the sublayer
/// unless heads were replaced.
Tensor tokenParts(const Trace& trace, const Model& model, SublayerIndex place, std::int64_t query);

/// Lengths |A_hij v_hj W_O^h| of one pair by head, [heads]: they show which heads carry it.
std::vector<float> headParts(const Trace& trace, const Model& model, SublayerIndex place,
                             std::int64_t query, std::int64_t key);

/// The output projection's bias, [d]; empty without one.
TensorView outputBias(const Model& model, SublayerIndex place);

} // namespace headscope
