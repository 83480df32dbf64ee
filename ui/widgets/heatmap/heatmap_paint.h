#pragma once

#include "ui/widgets/heatmap/heatmap_layout.h"

#include <QMarginsF>
#include <QPainter>

#include <functional>

namespace headscope::ui {

/// Paints cells from `image` (heatmapImage), then gaps, numbers, hatching, outline, ring and
/// labels.
void paintHeatmap(QPainter& painter, const HeatmapLayout& layout, const QImage& image,
                  const HeatmapContent& content, const HeatmapOptions& options, const Theme& theme);

/// Paints the cells of a layout within its viewport.
using CellPainter = std::function<void(QPainter& painter)>;

/// Same with cells that `paintCells` paints instead of an image.
void paintHeatmap(QPainter& painter, const HeatmapLayout& layout, const CellPainter& paintCells,
                  const HeatmapContent& content, const HeatmapOptions& options, const Theme& theme);

/// Space for labels and outlines around the cells.
QMarginsF heatmapMargins(const HeatmapContent& content, const HeatmapOptions& options,
                         const Theme& theme);

} // namespace headscope::ui
