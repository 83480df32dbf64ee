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

} // namespace headscope::ui
