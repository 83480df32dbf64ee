#pragma once

#include "core/trace/trace.h"

#include <vector>

namespace headscope {

/// Attention weights [m] of one head and query; only this row is recomputed where the pattern was
/// not retained. Empty without the pattern. Throws ShapeError for a head or query out of range.
std::vector<float> patternRow(const Trace& trace, TraceKey pattern, int head, std::int64_t query);

} // namespace headscope
