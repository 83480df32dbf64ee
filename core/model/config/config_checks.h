#pragma once

#include "core/base/error.h"
#include "core/model/config/model_config.h"

#include <cstdint>
#include <fmt/format.h>
#include <string>

// Limits and errors shared by the checks of a configuration.

namespace headscope {

constexpr std::int64_t kMaxWidth = std::int64_t{1} << 17;
constexpr std::int64_t kMaxPositions = std::int64_t{1} << 20;
constexpr std::int64_t kMaxLayers = 1024;

[[noreturn]] inline void refuseConfig(const std::string& problem, const std::string& advice)
{
    throw Error(problem, "model configuration", advice);
}

inline void checkRange(const char* field, std::int64_t value, std::int64_t low, std::int64_t high)
{
    if (value < low || value > high)
        refuseConfig(fmt::format("{} is {}", field, value),
                     fmt::format("Use a whole number from {} to {}", low, high));
}

inline void checkRange(const char* field, double value, double low, double high)
{
    if (!(value >= low && value <= high))
        refuseConfig(fmt::format("{} is {}", field, value),
                     fmt::format("Use a number from {} to {}", low, high));
}

/// Text "4 or 6" around an odd number that should be even.
inline std::string nearestEven(std::int64_t odd)
{
    return odd > 1 ? fmt::format("{} or {}", odd - 1, odd + 1) : fmt::format("{}", odd + 1);
}

/// Rejects latent attention, which has no scores that positions could change.
inline void refuseLatent(const ModelConfig& config)
{
    if (config.isLatent())
        refuseConfig("latent attention does not support positions that change the scores",
                     "Set positions to \"rope\" with a mla.rope_dim, or to \"learned\", "
                     "\"sinusoidal\" or \"none\"");
}

} // namespace headscope
