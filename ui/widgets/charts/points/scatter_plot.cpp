#include "ui/widgets/charts/points/scatter_plot.h"

#include "ui/widgets/charts/scene/chart_scene.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

namespace headscope::ui {

namespace {

constexpr int kTicks = 5;
constexpr double kLeft = 52.0; ///< Space for the numbers of the grid.
constexpr double kApart = 4.0; ///< Distance from a point to its name.

/// Axis with round ends that includes 0.
ChartAxis axisOf(const std::vector<ScatterPoint>& points, double ScatterPoint::*value)
{
    double low = 0.0;
    double high = 0.0;
    for (const ScatterPoint& point : points) {
        if (point.isFinite()) {
            low = std::min(low, point.*value);
            high = std::max(high, point.*value);
        }
    }
    return axisAround(low, high > low ? high : low + 1.0, kTicks);
}

ChartTicks ticksOf(const ChartAxis& axis, double length, const Theme& theme)
{
    ChartTicks ticks{{}, theme.font(TextRole::Caption), theme.text3, theme.line};
    for (const double tick : axis.ticks(kTicks))
        ticks.ticks.push_back({onPixel(axis.place(tick), length), tickText(axis, tick, kTicks)});
    return ticks;
}

} // namespace

bool ScatterPoint::isFinite() const
{
    return std::isfinite(x) && std::isfinite(y);
}

ScatterPlot::ScatterPlot(const ScatterContent& content, QSizeF size, const Theme& theme)
    : m_content(content)
    , m_theme(theme)
    , m_size(size)
    , m_x(axisOf(content.points, &ScatterPoint::x))
    , m_y(axisOf(content.points, &ScatterPoint::y))
{
    const double line = QFontMetricsF(theme.font(TextRole::Caption)).height();
    m_area = onPixels(QRectF(QPointF(), size)
                          .adjusted(kLeft * theme.scale(), line + 10.0, -16.0, -2.0 * line - 12.0));
}

QPointF ScatterPlot::at(const ScatterPoint& point) const
{
    return {m_area.left() + m_x.place(point.x) * m_area.width(),
            m_area.bottom() - m_y.place(point.y) * m_area.height()};
}

std::vector<bool> ScatterPlot::namedPoints() const
{
    const std::vector<ScatterPoint>& points = m_content.points;
    std::vector<std::size_t> order;
    for (std::size_t index = 0; index < points.size(); ++index)
        if (points[index].isFinite())
            order.push_back(index);
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return points[i].y; });
    std::vector<bool> named(points.size(), false);
    for (std::size_t i = 0; i < order.size() && i < static_cast<std::size_t>(m_content.named); ++i)
        named[order[i]] = true;
    if (m_content.current && *m_content.current < static_cast<int>(named.size()))
        named[static_cast<std::size_t>(*m_content.current)] = true;
    return named;
}

void ScatterPlot::addAxes(ChartPlot& plot) const
{
    plot.left = ticksOf(m_y, m_area.height(), m_theme);
    plot.below = ticksOf(m_x, m_area.width(), m_theme);
    plot.below.line = m_theme.line2;
    const QFont font = m_theme.font(TextRole::Caption);
    const double line = QFontMetricsF(font).height();
    plot.texts.push_back({{m_area.left(), m_area.top() - line - 6.0, m_area.width(), line},
                          Qt::AlignLeft,
                          font,
                          m_theme.text2,
                          m_content.yName});
    plot.texts.push_back({{m_area.left(), m_size.height() - line, m_area.width(), line},
                          Qt::AlignHCenter,
                          font,
                          m_theme.text2,
                          m_content.xName});
}

void ScatterPlot::addPoint(ChartPlot& plot, const ScatterPoint& point, bool isCurrent,
                           bool isNamed) const
{
    QColor fill = m_theme.accent;
    fill.setAlphaF(isCurrent ? 1.0F : 0.45F);
    plot.dots.push_back({{m_x.place(point.x), m_y.place(point.y)},
                         isCurrent ? kRadius + 1.5 : kRadius,
                         fill,
                         isCurrent ? m_theme.text : m_theme.accent});
    if (!isNamed)
        return;
    const QPointF centre = at(point);
    const QFont font = m_theme.font(TextRole::Caption);
    const double width = QFontMetricsF(font).horizontalAdvance(point.name);
    const double reach = kRadius + kApart;
    const bool isLeft = centre.x() + reach + width > m_area.right();
    plot.texts.push_back(
        {{centre.x() + (isLeft ? -reach - width : reach), centre.y() - 10.0, width, 20.0},
         Qt::AlignLeft,
         font,
         m_theme.text,
         point.name});
}

ChartPlot ScatterPlot::plot() const
{
    ChartPlot plot;
    plot.size = m_size;
    plot.area = m_area;
    addAxes(plot);
    const std::vector<bool> named = namedPoints();
    for (std::size_t i = 0; i < m_content.points.size(); ++i)
        if (m_content.points[i].isFinite())
            addPoint(plot, m_content.points[i], m_content.current == static_cast<int>(i), named[i]);
    return plot;
}

void paintScatter(QPainter& painter, const QRectF& area, const ScatterContent& content,
                  const Theme& theme)
{
    paintChart(painter, area, ScatterPlot(content, area.size(), theme).plot());
}

} // namespace headscope::ui
