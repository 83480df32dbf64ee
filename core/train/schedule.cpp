#include "core/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope {

double ScheduleSettings::rate(double peak, std::int64_t step) const
{
    if (kind == Kind::Constant)
        return peak;
    if (step < warmupSteps)
        return peak * static_cast<double>(step) / static_cast<double>(warmupSteps);
    const std::int64_t decaySteps = std::max<std::int64_t>(1, totalSteps - warmupSteps);
    const double progress =
        static_cast<double>(step - warmupSteps) / static_cast<double>(decaySteps);
    return peak * 0.5 * (1.0 + std::cos(std::numbers::pi * std::min(progress, 1.0)));
}

} // namespace headscope
