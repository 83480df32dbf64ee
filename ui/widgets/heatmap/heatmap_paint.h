#pragma once

#include "ui/widgets/heatmap/heatmap_layout.h"

#include <QMarginsF>
#include <QPainter>

namespace headscope::ui {

/// Cells from `image` (heatmapImage), then gaps, numbers, hatch, outline, ring and labels.
void paintHeatmap(QPainter& painter, const HeatmapLayout& layout, const QImage& image,
                  const HeatmapContent& content, const HeatmapOptions& options, const Theme& theme);

/// Space that labels and outlines take around the cells.
QMarginsF heatmapMargins(const HeatmapContent& content, const HeatmapOptions& options,
                         const Theme& theme);

} // namespace headscope::ui
