#pragma once

#include "core/trace/trace.h"

#include <vector>

namespace headscope {

/// The weights [m] of one head and query; of a pattern that is not kept this row alone is made
/// again. Empty without the pattern. Throws ShapeError for a head or query that it does not have.
std::vector<float> patternRow(const Trace& trace, TraceKey pattern, int head, std::int64_t query);

} // namespace headscope
