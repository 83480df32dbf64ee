#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>
#include <span>

namespace headscope {

/// Softmax over all experts, the topK most probable (of equal ones the lower index), their weights
/// divided by their sum (Mixtral 2024).
struct RouterOutputs
{
    MutableTensorView probabilities; ///< [rows, experts]
    MutableTensorView weights;       ///< [rows, experts]; 0 where not chosen, and only there
};

/// logits: [rows, experts]; may be `probabilities`. Throws ShapeError unless 1 <= topK <= experts.
void routeTopK(TensorView logits, std::int64_t topK, const RouterOutputs& outputs);

/// E sum_e f_e P_e per sequence of `length` rows, summed over the sequences (Fedus et al. 2021,
/// eq. 4-6; f_e = share of the assignments, without gradient; P_e = mean probability). Rows with 0
/// in `rowMask` [rows] are padding and take no part; null: all do.
double balancingLoss(const RouterOutputs& routed, std::int64_t length,
                     const std::uint8_t* rowMask = nullptr);

struct RouterUpstream
{
    TensorView weights;        ///< [rows, experts]: d loss / d weights, read where chosen
    double balanceScale = 0.0; ///< d loss / d balancingLoss
    std::int64_t length = 1;   ///< rows of a sequence
    const std::uint8_t* rowMask = nullptr; ///< as in balancingLoss
    std::span<double> scratch = {}; ///< [experts] or more; empty: memory is taken for the call
};

/// d loss / d logits: [rows, experts], overwritten; may be `upstream.weights`.
void routeTopKBackward(const RouterOutputs& routed, const RouterUpstream& upstream,
                       MutableTensorView logits);

} // namespace headscope
