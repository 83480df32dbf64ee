#pragma once

#include "core/attention/auto_attention.h"
#include "core/attention/backend_registry.h"

#include <stop_token>

namespace headscope::app {

/// Stores measurements in $XDG_CACHE_HOME/headscope (~/.cache/headscope), so that each device is
/// measured once. A folder that cannot be read or written only means that the next start measures
/// again.
MeasurementStore cachedMeasurements();

/// Measures the best device against the CPU unless that was done before. Takes a second or two; a
/// stop request ends it without a result. Running workers use the result from their next call on.
void measureDevices(const BackendRegistry& registry, const std::stop_token& stop);

} // namespace headscope::app
