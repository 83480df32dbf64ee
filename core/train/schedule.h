#pragma once

#include <cstdint>
#include <vector>

namespace headscope {

/// How the learning rate goes on.
struct ScheduleSettings
{
    enum class Kind {
        Constant,
        WarmupCosine,      ///< peak * i / warm-up, then half a cosine to zero
        WarmupCosineFloor, ///< peak * (i + 1) / (warm-up + 1), then half a cosine to `floor`
        WarmupLinear,      ///< peak * i / warm-up, then a line to zero
        Noam,              ///< peak * d^-0.5 min(s^-0.5, s warm-up^-1.5), s = i + 1 (Vaswani 2017)
    };
    Kind kind = Kind::Constant;
    std::int64_t warmupSteps = 0;
    std::int64_t totalSteps = 0;
    double floor = 0.0;        ///< lowest rate of WarmupCosineFloor
    std::int64_t dModel = 512; ///< of Noam

    /// Rate of update `step`, counted from 0. `peak` is a factor for Noam.
    double rate(double peak, std::int64_t step) const;

    /// The rates of the first `steps` updates.
    std::vector<double> curve(double peak, std::int64_t steps) const;
};

} // namespace headscope
