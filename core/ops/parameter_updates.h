#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace headscope {

/// Adam (Kingma, Ba 2015, algorithm 1) with decay of either kind. Update `step` counts from 1: g +=
/// coupledDecay * w; m, v exponential means of g, g^2; w *= 1 - rate * decay; w -= rate * (m / (1 -
/// beta1^step)) / (sqrt(v / (1 - beta2^step)) + epsilon).
struct AdamUpdate
{
    double rate = 0.0;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    double decay = 0.0;         ///< Decoupled: AdamW (Loshchilov, Hutter 2019).
    double coupledDecay = 0.0;  ///< L2, through the moments.
    double gradientScale = 1.0; ///< Factor from gradient clipping.
    std::int64_t step = 1;
};

struct AdamState ///< Moments of the same weights, equally long; all updated in place.
{
    std::span<float> weights;
    std::span<float> firstMoment;
    std::span<float> secondMoment;
};

void adam(const AdamUpdate& update, std::span<const float> gradient, const AdamState& state);

/// Momentum: g += decay * w; buffer = momentum * buffer + g; w -= rate * buffer (Sutskever et al.
/// 2013 without Nesterov's term, the rate outside the buffer).
struct SgdUpdate
{
    double rate = 0.0;
    double momentum = 0.0;
    double decay = 0.0;
    double gradientScale = 1.0; ///< Factor from gradient clipping.
};

struct SgdState ///< Weights and buffer, equally long; both updated in place.
{
    std::span<float> weights;
    std::span<float> buffer; ///< All 0 before the first update.
};

void sgd(const SgdUpdate& update, std::span<const float> gradient, const SgdState& state);

/// Factor of global-norm clipping: min(1, maximum / (norm + 1e-6)), 1 without a maximum.
double clipCoefficient(double norm, std::optional<double> maximum);

} // namespace headscope
