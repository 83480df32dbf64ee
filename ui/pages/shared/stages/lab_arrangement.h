#pragma once

#include <QRectF>
#include <QSizeF>

#include <vector>

namespace headscope::ui {

/// Size request of a figure in logical pixels.
struct RoomNeed
{
    QSizeF least;          ///< Minimum readable size.
    QSizeF best;           ///< Preferred size; larger has no benefit unless it grows.
    bool grows = true;     ///< Whether it takes the remaining height.
    bool growsWide = true; ///< Whether it takes the remaining width.
};

/// Arranges up to a handful of figures inside `area`, `gap` apart: side by side, stacked, or the
/// first or last large beside the others; whichever satisfies most of their requests. Never empty,
/// in the order of the requests.
std::vector<QRectF> arranged(const QRectF& area, const std::vector<RoomNeed>& requests, double gap);

} // namespace headscope::ui
