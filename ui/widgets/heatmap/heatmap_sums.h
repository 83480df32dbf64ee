#pragma once

#include "ui/widgets/heatmap/heatmap_layout.h"

#include <QPainter>

namespace headscope::ui {

/// Space for the sums to the right of the rows and below the columns; empty without sums.
QSizeF sumStrips(const HeatmapContent& content, const Theme& theme);

/// Paints row sums to the right of the rows, each as a bar and a number, and column sums as bars
/// below the columns, the largest always with its number.
void paintSums(QPainter& painter, const HeatmapLayout& layout, const HeatmapContent& content,
               const Theme& theme);

} // namespace headscope::ui
