#include "ui/widgets/charts/scene/chart_plot.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

double onPixel(double place, double length)
{
    const double pixels = std::max(length, 1.0);
    return std::round(place * pixels) / pixels;
}

QRectF onPixels(const QRectF& area)
{
    return {QPointF(std::round(area.left()), std::round(area.top())),
            QPointF(std::round(area.right()), std::round(area.bottom()))};
}

double keptInside(double place, double penWidth, double length)
{
    const double edge = std::min(0.5, 0.5 * (penWidth + 1.0) / std::max(length, 1.0));
    return std::clamp(place, edge, 1.0 - edge);
}

} // namespace headscope::ui
