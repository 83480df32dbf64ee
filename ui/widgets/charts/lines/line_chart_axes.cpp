#include "ui/widgets/charts/lines/line_chart_axes.h"

#include "ui/widgets/charts/scene/chart_plot.h"

#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kLeft = 48.0;
constexpr double kRight = 104.0;
constexpr double kHeader = 28.0;
constexpr double kTop = 8.0;
constexpr double kBelow = 28.0;
constexpr double kUnit = 18.0;
constexpr double kEdge = 8.0; ///< Space for half a number at the lowest line.

} // namespace

double LineChartAxes::leftEdge(const Theme& theme)
{
    return std::round(kLeft * theme.scale());
}

double LineChartAxes::rightEdge(const Theme& theme)
{
    return std::round(kRight * theme.scale());
}

LineChartAxes::LineChartAxes(QRectF area, const LineChartContent& content, const Theme& theme)
    : m_x(content.x)
    , m_y(content.y)
{
    const double scale = theme.scale();
    m_header = {area.x(), area.y(), area.width(), kHeader * scale};
    const double right = content.rightRoom > 0.0 ? content.rightRoom : rightEdge(theme);
    const double unit = content.unitBelow.isEmpty() ? 0.0 : kUnit;
    m_plot = area.adjusted(leftEdge(theme), (kHeader + kTop) * scale, -right,
                           -((content.numbersBelow ? kBelow : kEdge) + unit) * scale);
    m_plot = onPixels(m_plot);
    m_below = {m_plot.x(), area.bottom() - unit * scale, m_plot.width(), unit * scale};
}

double LineChartAxes::x(double value) const
{
    return m_plot.x() + m_x.place(value) * m_plot.width();
}

double LineChartAxes::y(double value) const
{
    return m_plot.bottom() - m_y.place(value) * m_plot.height();
}

double LineChartAxes::valueOfX(double x) const
{
    return m_x.value((x - m_plot.x()) / m_plot.width());
}

} // namespace headscope::ui
