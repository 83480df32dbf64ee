#pragma once

#include "core/model/weights/parameters.h"

#include <string>

namespace headscope {

/// Parameters of BatchNorm that no gradient moves: training keeps them as averages over batches, and
/// a model in use normalises with them. They are stored beside the others, and not counted as
/// parameters.
inline constexpr const char* kRunningMean = ".running_mean";
inline constexpr const char* kRunningVariance = ".running_var";

inline bool isRunningStatistic(const std::string& parameter)
{
    return parameter.ends_with(kRunningMean) || parameter.ends_with(kRunningVariance);
}

} // namespace headscope
