#pragma once

#include "core/model/config/model_config.h"
#include "core/trace/head_id.h"
#include "core/trace/trace.h"
#include "ui/widgets/heads/head_grid.h"

#include <map>
#include <vector>

namespace headscope {
class SinkWeights;
}

namespace headscope::ui {

/// Masked cells of a head's pattern, as maps draw them, from the trace's own settings.
HeatmapMask maskOf(const Trace& trace, HeadId head);

/// Cells that are masked in all layers of a part.
HeatmapMask maskOf(const Trace& trace, AttentionKind part = AttentionKind::Self);

/// One head of a [heads, n, m] activation, sharing its memory. Empty when there is no such head.
HeatmapMatrix patternOf(const std::shared_ptr<const Tensor>& pattern, int head);
HeatmapMatrix patternOf(const Trace& trace, HeadId head);

/// Thumbnails of each part, layer-major.
using PartThumbnails = std::map<AttentionKind, std::vector<ThumbnailPtr>>;

/// Difference b − a, cell by cell; empty for different sizes.
HeatmapMatrix differenceOf(const HeatmapMatrix& a, const HeatmapMatrix& b);

/// Weight of each row of a whole pattern on the head's attention sink, see SinkWeights.
std::vector<float> sinkOf(const SinkWeights& sinks, HeadId head, const HeatmapMatrix& pattern);

/// Difference b − a of the weights on sinks; empty unless both have one.
std::vector<float> differenceOf(const std::vector<float>& a, const std::vector<float>& b);

} // namespace headscope::ui
