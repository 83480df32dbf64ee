#pragma once

#include "ui/widgets/heatmap/heatmap_matrix.h"

#include <QPointF>

namespace headscope::ui {

class HeatmapLayout;

/// Zoomed part of a map: cells `factor` times as large as in the whole map, with the point `cell`
/// (column, row; may be fractional) at `at` in the viewport.
struct HeatmapZoom
{
    double factor = 1.0;
    QPointF cell;
    QPointF at;

    friend bool operator==(const HeatmapZoom&, const HeatmapZoom&) = default;
};

/// Zoom of `layout` by `factor` around `position`.
HeatmapZoom zoomedBy(const HeatmapLayout& layout, double factor, QPointF position);

/// Zoom of `layout`, panned.
HeatmapZoom movedBy(const HeatmapLayout& layout, QPointF by);

/// Distance to pan until the whole cell is visible.
QPointF wayIntoSight(const HeatmapLayout& layout, HeatmapCell cell);

} // namespace headscope::ui
