#include "ui/pages/overview/overview_room.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kSmallest = 32.0;
constexpr double kLargest = 320.0;
constexpr double kColumnGap = 40.0;
constexpr double kMapGap = 2.0;
constexpr double kRowLabels = 32.0;
constexpr double kAboveMaps = 140.0; ///< Height of headings, boxes and head numbers.

} // namespace

double sideOfSmallMaps(QSizeF page, int layers, int heads)
{
    if (layers <= 0 || heads <= 0)
        return kSmallest;
    const double width = page.width() - page.height() - kColumnGap - kRowLabels;
    const double height = page.height() - kAboveMaps;
    const double side = std::min(width / heads, height / layers) - kMapGap;
    return std::floor(std::clamp(side, kSmallest, kLargest));
}

} // namespace headscope::ui
