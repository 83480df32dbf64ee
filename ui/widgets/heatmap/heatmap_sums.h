#pragma once

#include "ui/widgets/heatmap/heatmap_layout.h"

#include <QPainter>

namespace headscope::ui {

/// Room that the sums take right of the rows and below the columns; nothing without sums.
QSizeF sumStrips(const HeatmapContent& content, const Theme& theme);

/// Row sums right of the rows, a bar and a number each; column sums as bars that hang below the
/// columns, the largest always with its number.
void paintSums(QPainter& painter, const HeatmapLayout& layout, const HeatmapContent& content,
               const Theme& theme);

} // namespace headscope::ui
