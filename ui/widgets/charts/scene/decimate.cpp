#include "ui/widgets/charts/scene/decimate.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

/// Extremes of one pixel column.
struct Column
{
    QPointF lowest;
    QPointF highest;

    void take(QPointF point)
    {
        if (point.y() < lowest.y())
            lowest = point;
        if (point.y() > highest.y())
            highest = point;
    }

    void appendTo(std::vector<QPointF>& kept) const
    {
        const bool rises = lowest.x() <= highest.x();
        kept.push_back(rises ? lowest : highest);
        if (lowest != highest)
            kept.push_back(rises ? highest : lowest);
    }
};

std::vector<QPointF> finite(const std::vector<QPointF>& points)
{
    std::vector<QPointF> kept;
    kept.reserve(points.size());
    std::copy_if(points.begin(), points.end(), std::back_inserter(kept), [](QPointF point) {
        return std::isfinite(point.x()) && std::isfinite(point.y());
    });
    return kept;
}

} // namespace

std::vector<QPointF> decimated(const std::vector<QPointF>& points, int columns)
{
    const std::vector<QPointF> all = finite(points);
    const auto most = 2 * static_cast<std::size_t>(std::max(columns, 1));
    if (all.size() <= most)
        return all;
    const double first = all.front().x();
    const double width = std::max(all.back().x() - first, 1e-300);
    std::vector<QPointF> kept;
    kept.reserve(most);
    int current = -1;
    Column column;
    for (const QPointF& point : all) {
        const auto at =
            std::min(static_cast<int>((point.x() - first) / width * columns), columns - 1);
        if (at == current) {
            column.take(point);
            continue;
        }
        if (current >= 0)
            column.appendTo(kept);
        current = at;
        column = {point, point};
    }
    column.appendTo(kept);
    return kept;
}

} // namespace headscope::ui
