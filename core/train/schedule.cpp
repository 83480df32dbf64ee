#include "core/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope {

namespace {

/// Falls from 1 at progress 0 to 0 at progress 1 and after.
double cosineDecay(double progress)
{
    return 0.5 * (1.0 + std::cos(std::numbers::pi * std::min(progress, 1.0)));
}

double noam(double dModel, double warmup, double step)
{
    // Vaswani et al. 2017, equation 3; without a warm-up the second term is never the smaller one
    const double decay = 1.0 / std::sqrt(step);
    const double rise = warmup > 0.0 ? step * std::pow(warmup, -1.5) : decay;
    return std::min(decay, rise) / std::sqrt(dModel);
}

} // namespace

double ScheduleSettings::rate(double peak, std::int64_t step) const
{
    const auto i = static_cast<double>(step);
    const auto warmup = static_cast<double>(warmupSteps);
    const auto decaySteps =
        static_cast<double>(std::max<std::int64_t>(1, totalSteps - warmupSteps));
    const double progress = (i - warmup) / decaySteps;
    const double rise = step < warmupSteps ? i / warmup : 1.0;
    switch (kind) {
    case Kind::Constant:
        return peak;
    case Kind::WarmupCosine:
        return step < warmupSteps ? peak * rise : peak * cosineDecay(progress);
    case Kind::WarmupCosineFloor:
        return step < warmupSteps ? peak * (i + 1.0) / (warmup + 1.0)
                                  : floor + (peak - floor) * cosineDecay(progress);
    case Kind::WarmupLinear:
        return step < warmupSteps ? peak * rise : peak * std::max(0.0, 1.0 - progress);
    case Kind::Noam:
        return peak * noam(static_cast<double>(dModel), warmup, i + 1.0);
    }
    return peak;
}

std::vector<double> ScheduleSettings::curve(double peak, std::int64_t steps) const
{
    std::vector<double> rates;
    rates.reserve(std::max<std::int64_t>(0, steps));
    for (std::int64_t step = 0; step < steps; ++step)
        rates.push_back(rate(peak, step));
    return rates;
}

} // namespace headscope
