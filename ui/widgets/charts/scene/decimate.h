#pragma once

#include <QPointF>

#include <vector>

namespace headscope::ui {

/// Curve reduced to `columns` pixels, for points in ascending x: keeps the minimum and the maximum
/// of each pixel column, in order, so that no peak is lost. Points that are not finite are omitted;
/// a curve with at most twice as many points as columns is unchanged.
std::vector<QPointF> decimated(const std::vector<QPointF>& points, int columns);

} // namespace headscope::ui
