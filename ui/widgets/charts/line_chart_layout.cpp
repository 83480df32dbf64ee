#include "ui/widgets/charts/line_chart_layout.h"

namespace headscope::ui {

namespace {

constexpr double kLeft = 48.0;
constexpr double kRight = 104.0;
constexpr double kHeader = 28.0;
constexpr double kTop = 8.0;
constexpr double kBelow = 28.0;
constexpr double kUnit = 18.0;
constexpr double kEdge = 8.0; ///< for half a number of the lowest line

} // namespace

double LineChartLayout::leftEdge(const Theme& theme)
{
    return kLeft * theme.scale();
}

double LineChartLayout::rightEdge(const Theme& theme)
{
    return kRight * theme.scale();
}

LineChartLayout::LineChartLayout(QRectF area, const LineChartContent& content, const Theme& theme)
    : m_x(content.x)
    , m_y(content.y)
{
    const double scale = theme.scale();
    m_header = {area.x(), area.y(), area.width(), kHeader * scale};
    const double right = content.rightRoom > 0.0 ? content.rightRoom : rightEdge(theme);
    const double unit = content.unitBelow.isEmpty() ? 0.0 : kUnit;
    m_plot = area.adjusted(leftEdge(theme), (kHeader + kTop) * scale, -right,
                           -((content.numbersBelow ? kBelow : kEdge) + unit) * scale);
    m_below = {m_plot.x(), area.bottom() - unit * scale, m_plot.width(), unit * scale};
}

double LineChartLayout::x(double value) const
{
    return m_plot.x() + m_x.place(value) * m_plot.width();
}

double LineChartLayout::y(double value) const
{
    return m_plot.bottom() - m_y.place(value) * m_plot.height();
}

double LineChartLayout::valueOfX(double x) const
{
    return m_x.value((x - m_plot.x()) / m_plot.width());
}

} // namespace headscope::ui
