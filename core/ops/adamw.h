#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace headscope {

/// AdamW with decoupled decay (Loshchilov, Hutter 2019). Update `step` counts from 1:
/// w *= 1 - rate * decay; m, v exponential means of g, g^2;
/// w -= rate * (m / (1 - beta1^step)) / (sqrt(v / (1 - beta2^step)) + epsilon).
struct AdamWUpdate
{
    double rate = 0.0;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    double decay = 0.0;
    double gradientScale = 1.0; ///< from clipping
    std::int64_t step = 1;
};

struct AdamWState ///< of the same weights, equally long; all updated in place
{
    std::span<float> weights;
    std::span<float> firstMoment;
    std::span<float> secondMoment;
};

void adamw(const AdamWUpdate& update, std::span<const float> gradient, const AdamWState& state);

/// min(1, maximum / (norm + 1e-6)), 1 without a maximum: the factor of global-norm clipping.
double clipCoefficient(double norm, std::optional<double> maximum);

} // namespace headscope
