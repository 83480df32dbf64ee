#pragma once

#include "core/attention/attention_backend.h"
#include "core/trace/trace.h"
#include "ui/widgets/head_grid.h"

#include <vector>

namespace headscope::ui {

/// The cells that a mask hides, as maps draw them.
HeatmapMask shownMask(const AttentionMask& mask);

/// One head of a [heads, n, m] activation, sharing its memory. Empty when there is no such head.
HeatmapMatrix patternOf(const std::shared_ptr<const Tensor>& pattern, int head);

/// Thumbnails of all patterns of a trace, layer-major.
std::vector<ThumbnailPtr> thumbnailsOf(const Trace& trace, const AttentionMask& mask);

} // namespace headscope::ui
