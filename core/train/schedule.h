#pragma once

#include <cstdint>
#include <vector>

namespace headscope {

/// Schedule of the learning rate.
struct ScheduleSettings
{
    enum class Kind {
        Constant,
        WarmupCosine,      ///< Peak * i / warm-up, then half a cosine to zero.
        WarmupCosineFloor, ///< Peak * (i + 1) / (warm-up + 1), then half a cosine to `floor`.
        WarmupLinear,      ///< Peak * i / warm-up, then linear to zero.
        Noam,              ///< Peak * d^-0.5 min(s^-0.5, s warm-up^-1.5), s = i + 1 (Vaswani 2017).
    };
    Kind kind = Kind::Constant;
    std::int64_t warmupSteps = 0;
    std::int64_t totalSteps = 0;
    double floor = 0.0;        ///< Lowest rate of WarmupCosineFloor.
    std::int64_t dModel = 512; ///< Model width for Noam.

    /// Learning rate of update `step`, counted from 0. `peak` is a factor for Noam.
    double rate(double peak, std::int64_t step) const;

    /// Learning rates of the first `steps` updates.
    std::vector<double> curve(double peak, std::int64_t steps) const;
};

} // namespace headscope
