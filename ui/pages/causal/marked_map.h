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
    std::vector<bool> marks; ///< Marks in the order of the cells, or empty.
    ColourBarContent legend;
};

QStringList numberLabels(int count); ///< Row or column labels "0", "1", ...

/// Outlines of groups of marked cells.
void paintMarks(QPainter& painter, const HeatmapLayout& layout, const std::vector<bool>& marks,
                const Theme& theme);

} // namespace headscope::ui
