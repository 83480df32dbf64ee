#pragma once

#include "ui/widgets/heatmap/heatmap_layout.h"

#include <QMarginsF>
#include <QPainter>

namespace headscope::ui {

/// Paints cells from `image` (heatmapImage), then gaps, numbers, hatching, outline, ring and
/// labels.
void paintHeatmap(QPainter& painter, const HeatmapLayout& layout, const QImage& image,
                  const HeatmapContent& content, const HeatmapOptions& options, const Theme& theme);

/// Space for labels and outlines around the cells.
QMarginsF heatmapMargins(const HeatmapContent& content, const HeatmapOptions& options,
                         const Theme& theme);

} // namespace headscope::ui
