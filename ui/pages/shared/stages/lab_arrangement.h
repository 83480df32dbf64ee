#pragma once

#include <QRectF>
#include <QSizeF>

#include <vector>

namespace headscope::ui {

/// What a picture asks for, in logical pixels.
struct RoomWish
{
    QSizeF least;          ///< below it the picture is hard to read
    QSizeF best;           ///< above it nothing gets better, unless it grows
    bool grows = true;     ///< takes height that is left over
    bool growsWide = true; ///< takes width that is left over
};

/// Up to a handful of pictures inside `area`, `gap` apart: beside each other, under each other, or
/// the first or last large beside the others; whichever gives them most of what they ask for.
/// Never empty, in the order of the wishes.
std::vector<QRectF> arranged(const QRectF& area, const std::vector<RoomWish>& wishes, double gap);

} // namespace headscope::ui
