#pragma once

#include "ui/widgets/heatmap/heatmap.h"
#include "ui/widgets/style/colour_bar.h"

#include <QStringList>

#include <vector>

namespace headscope::ui {

/// A map with some of its cells outlined together.
struct MarkedMap
{
    HeatmapContent map;
    std::vector<bool> marks; ///< as the cells, or empty
    ColourBarContent legend;
};

QStringList numberLabels(int count); ///< "0", "1", ... of rows or columns.

/// Around groups of marked cells.
void paintMarks(QPainter& painter, const HeatmapLayout& layout, const std::vector<bool>& marks,
                const Theme& theme);

} // namespace headscope::ui
