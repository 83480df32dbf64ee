#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope {

/// Outputs of softmax over all experts: the topK most probable (the lower index of equal ones),
/// with their weights renormalised (Mixtral 2024) unless `normalised` is false (some Qwen3-MoE).
struct RouterOutputs
{
    MutableTensorView probabilities; ///< Probabilities [rows, experts].
    MutableTensorView weights;       ///< Weights [rows, experts]; 0 exactly where not chosen.
    bool normalised = true;
};

/// Routes rows by `logits` [rows, experts], which may be `probabilities`. Throws ShapeError unless
/// 1 <= topK <= experts.
void routeTopK(TensorView logits, std::int64_t topK, const RouterOutputs& outputs);

/// Balancing loss E sum_e f_e P_e per sequence of `length` rows, summed over the sequences (Fedus
/// et al. 2021, eq. 4-6; f_e = fraction of the assignments, without gradient; P_e = mean
/// probability). Rows with 0 in `rowMask` [rows] are padding and excluded; null: all are included.
double balancingLoss(const RouterOutputs& routed, std::int64_t length,
                     const std::uint8_t* rowMask = nullptr);

/// Fraction of all choices that each expert receives, for weights [rows, experts]; 0 everywhere
/// without rows.
std::vector<double> expertLoads(TensorView weights);

struct RouterUpstream
{
    TensorView weights;        ///< Gradient d loss / d weights [rows, experts], read where chosen.
    double balanceScale = 0.0; ///< Upstream gradient d loss / d balancingLoss.
    std::int64_t length = 1;   ///< Rows per sequence.
    const std::uint8_t* rowMask = nullptr; ///< Padding mask as in balancingLoss.
    /// Scratch [experts] or more; empty: memory is allocated for the call.
    std::span<double> scratch = {};
};

/// Computes d loss / d logits: [rows, experts], overwritten; may be `upstream.weights`.
void routeTopKBackward(const RouterOutputs& routed, const RouterUpstream& upstream,
                       MutableTensorView logits);

} // namespace headscope
