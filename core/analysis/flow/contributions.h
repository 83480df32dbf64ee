#pragma once

#include "core/model/pass/tracer.h"

#include <cstdint>
#include <vector>

namespace headscope {

/// One attention sublayer of a trace.
struct SublayerPlace
{
    Stack stack = Stack::Blocks;
    int layer = 0;
    bool cross = false;
};

enum class ContributionMeasure {
    Length,   ///< length of a part over the sum of all lengths (Kobayashi et al. 2020, section 3)
    Distance, ///< how much nearer a part brings the whole: |y| - |y - part|, at least 0, over the
              ///< sum (Ferrando et al. 2022, section 3.2, with Euclidean in place of their l1
              ///< lengths, so that dot products are enough)
};

/// What the stream of each token i is made of after an attention sublayer, before any norm behind
/// it: y_i = x_i + b + sum over j of f_ij with f_ij = sum over heads of A_hij v_hj W_O^h. The bias
/// belongs to no token and has no share. Rows of `tokens` and `residual` add up to 1.
struct SublayerShares
{
    Tensor tokens;   ///< [n, m]: of f_ij
    Tensor residual; ///< [n]: of x_i
    /// Heads whose output an intervention replaced: it comes from no token and has no share.
    std::vector<int> replacedHeads;
};

/// Throws Error when the trace lacks the pattern, the values, the stream before or, for Distance,
/// the sublayer's output.
SublayerShares sublayerShares(const Trace& trace, const Model& model, SublayerPlace place,
                              ContributionMeasure measure);

/// The parts themselves of one token: [m, d], rows f_ij. With the bias they add up to the recorded
/// output of the sublayer unless heads were replaced.
Tensor tokenParts(const Trace& trace, const Model& model, SublayerPlace place, std::int64_t query);

/// [heads]: |A_hij v_hj W_O^h| of one pair, by which the heads that carry it are told.
std::vector<float> headParts(const Trace& trace, const Model& model, SublayerPlace place,
                             std::int64_t query, std::int64_t key);

/// The output projection's bias, [d]; empty without one.
TensorView outputBias(const Model& model, SublayerPlace place);

} // namespace headscope
