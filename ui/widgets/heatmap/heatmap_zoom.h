#pragma once

#include "ui/widgets/heatmap/heatmap_matrix.h"

#include <QPointF>

namespace headscope::ui {

class HeatmapLayout;

/// A part of a map under the glass: cells `factor` times as large as the whole map would have them,
/// the point `cell` (column, row; fractions are places inside a cell) at `at` in the viewport.
struct HeatmapZoom
{
    double factor = 1.0;
    QPointF cell;
    QPointF at;

    friend bool operator==(const HeatmapZoom&, const HeatmapZoom&) = default;
};

/// What `layout` shows, `factor` times as large; what lies at `position` stays there.
HeatmapZoom zoomedBy(const HeatmapLayout& layout, double factor, QPointF position);

/// What `layout` shows, moved.
HeatmapZoom movedBy(const HeatmapLayout& layout, QPointF by);

/// How far to move until the whole cell is in sight.
QPointF wayIntoSight(const HeatmapLayout& layout, HeatmapCell cell);

} // namespace headscope::ui
