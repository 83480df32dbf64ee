#include "core/ops/adamw.h"

#include "core/base/error.h"
#include "core/ops/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

AdamWCoefficients coefficientsOf(const AdamWUpdate& update)
{
    const double t = static_cast<double>(update.step);
    AdamWCoefficients result;
    result.gradientScale = static_cast<float>(update.gradientScale);
    result.beta1 = static_cast<float>(update.beta1);
    result.beta2 = static_cast<float>(update.beta2);
    result.stepSize = static_cast<float>(update.rate / (1.0 - std::pow(update.beta1, t)));
    result.secondMomentScale = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(update.beta2, t)));
    result.epsilon = static_cast<float>(update.epsilon);
    result.keep = static_cast<float>(1.0 - update.rate * update.decay);
    return result;
}

} // namespace

void adamw(const AdamWUpdate& update, std::span<const float> gradient, const AdamWState& state)
{
    // gradient, weights, moments: [n]
    const std::size_t n = gradient.size();
    if (state.weights.size() != n || state.firstMoment.size() != n ||
        state.secondMoment.size() != n)
        throw ShapeError(fmt::format("adamw: {} gradients for {} weights and moments of {} and {}",
                                     n, state.weights.size(), state.firstMoment.size(),
                                     state.secondMoment.size()));
    if (update.step < 1)
        throw ShapeError(fmt::format("adamw: step {} where steps count from 1", update.step));
    kernels().adamw(coefficientsOf(update), gradient.data(), state.firstMoment.data(),
                    state.secondMoment.data(), state.weights.data(), static_cast<std::int64_t>(n));
}

double clipCoefficient(double norm, std::optional<double> maximum)
{
    return maximum ? std::min(1.0, *maximum / (norm + 1e-6)) : 1.0;
}

} // namespace headscope
