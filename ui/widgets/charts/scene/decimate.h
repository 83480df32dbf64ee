#pragma once

#include <QPointF>

#include <vector>

namespace headscope::ui {

/// Points of a curve, rising in x, as a picture of `columns` pixels shows them: of each pixel
/// column the lowest and the highest, in their order, so that no peak is lost. Points that are not
/// finite are left out; a curve with no more than twice as many points stays as it is.
std::vector<QPointF> decimated(const std::vector<QPointF>& points, int columns);

} // namespace headscope::ui
