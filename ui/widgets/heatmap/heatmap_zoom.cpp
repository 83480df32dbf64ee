#include "ui/widgets/heatmap/heatmap_zoom.h"

#include "ui/widgets/heatmap/heatmap_layout.h"

#include <algorithm>

namespace headscope::ui {
namespace {

/// Zoom that shows the same as `layout`, anchored at `position`.
HeatmapZoom heldAt(const HeatmapLayout& layout, QPointF position)
{
    const QPointF inside = position - layout.cells().topLeft();
    return {layout.zoomFactor(),
            {inside.x() / layout.cellSize().width(), inside.y() / layout.cellSize().height()},
            position - layout.viewport().topLeft()};
}

/// Distance to move so that [begin, end) is within [shownBegin, shownEnd).
double wayInto(double begin, double end, double shownBegin, double shownEnd)
{
    if (begin < shownBegin)
        return shownBegin - begin;
    return end > shownEnd ? shownEnd - end : 0.0;
}

} // namespace

HeatmapZoom zoomedBy(const HeatmapLayout& layout, double factor, QPointF position)
{
    HeatmapZoom zoom = heldAt(layout, position);
    zoom.factor = std::clamp(zoom.factor * factor, 1.0, layout.largestFactor());
    return zoom.factor < 1.0 + 1e-6 ? HeatmapZoom{} : zoom;
}

HeatmapZoom movedBy(const HeatmapLayout& layout, QPointF by)
{
    HeatmapZoom zoom = heldAt(layout, layout.viewport().topLeft());
    zoom.at = by;
    return zoom;
}

QPointF wayIntoSight(const HeatmapLayout& layout, HeatmapCell cell)
{
    const QRectF shown = layout.viewport();
    const QRectF rect = layout.cellRect(cell);
    return {wayInto(rect.x(), rect.right(), shown.x(), shown.right()),
            wayInto(rect.y(), rect.bottom(), shown.y(), shown.bottom())};
}

} // namespace headscope::ui
