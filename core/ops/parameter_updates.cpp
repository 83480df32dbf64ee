#include "core/ops/parameter_updates.h"

#include "core/base/error.h"
#include "core/ops/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

AdamCoefficients coefficientsOf(const AdamUpdate& update)
{
    const double t = static_cast<double>(update.step);
    AdamCoefficients result;
    result.gradientScale = static_cast<float>(update.gradientScale);
    result.beta1 = static_cast<float>(update.beta1);
    result.beta2 = static_cast<float>(update.beta2);
    result.stepSize = static_cast<float>(update.rate / (1.0 - std::pow(update.beta1, t)));
    result.secondMomentScale = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(update.beta2, t)));
    result.epsilon = static_cast<float>(update.epsilon);
    result.keep = static_cast<float>(1.0 - update.rate * update.decay);
    result.coupledDecay = static_cast<float>(update.coupledDecay);
    return result;
}

} // namespace

void adam(const AdamUpdate& update, std::span<const float> gradient, const AdamState& state)
{
    // gradient, weights, moments: [n]
    const std::size_t n = gradient.size();
    if (state.weights.size() != n || state.firstMoment.size() != n ||
        state.secondMoment.size() != n)
        throw ShapeError(fmt::format("adam: {} gradients for {} weights and moments of {} and {}",
                                     n, state.weights.size(), state.firstMoment.size(),
                                     state.secondMoment.size()));
    if (update.step < 1)
        throw ShapeError(fmt::format("adam: step {} is invalid, steps count from 1", update.step));
    kernels().adam(coefficientsOf(update), gradient.data(), state.firstMoment.data(),
                   state.secondMoment.data(), state.weights.data(), static_cast<std::int64_t>(n));
}

void sgd(const SgdUpdate& update, std::span<const float> gradient, const SgdState& state)
{
    // gradient, weights, buffer: [n]
    const std::size_t n = gradient.size();
    if (state.weights.size() != n || state.buffer.size() != n)
        throw ShapeError(fmt::format("sgd: {} gradients for {} weights and a buffer of {}", n,
                                     state.weights.size(), state.buffer.size()));
    SgdCoefficients coefficients;
    coefficients.gradientScale = static_cast<float>(update.gradientScale);
    coefficients.rate = static_cast<float>(update.rate);
    coefficients.momentum = static_cast<float>(update.momentum);
    coefficients.decay = static_cast<float>(update.decay);
    kernels().sgd(coefficients, gradient.data(), state.buffer.data(), state.weights.data(),
                  static_cast<std::int64_t>(n));
}

double clipCoefficient(double norm, std::optional<double> maximum)
{
    return maximum ? std::min(1.0, *maximum / (norm + 1e-6)) : 1.0;
}

} // namespace headscope
