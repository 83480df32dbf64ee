#pragma once

#include "ui/widgets/heatmap/heatmap_layout.h"

#include <QPainter>

namespace headscope::ui {

/// Name of the sink's column, "sink".
QString sinkName();

/// Text such as "query to, 13; attention sink; weight 0.388".
QString describeSink(const HeatmapContent& content, int row);

/// Paints the column of the attention sink to the right of the cells, on their scale.
void paintSink(QPainter& painter, const HeatmapLayout& layout, const HeatmapContent& content,
               const HeatmapOptions& options, const Theme& theme);

} // namespace headscope::ui
