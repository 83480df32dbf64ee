#include "ui/widgets/charts/points/scatter.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kRadius = 4.0;
constexpr double kReach = 16.0; ///< of a click

bool isDrawn(const ScatterPoint& point)
{
    return std::isfinite(point.x) && std::isfinite(point.y);
}

/// From 0 where that is near, with some room at the far end.
std::pair<double, double> rangeOf(const std::vector<ScatterPoint>& points,
                                  double ScatterPoint::*value)
{
    double low = 0.0;
    double high = 0.0;
    for (const ScatterPoint& point : points) {
        if (!isDrawn(point))
            continue;
        low = std::min(low, point.*value);
        high = std::max(high, point.*value);
    }
    const double room = 0.08 * (high - low);
    if (high == low)
        return {low, low + 1.0};
    return {low < 0.0 ? low - room : 0.0, high + room};
}

QString axisNumber(double value)
{
    return std::abs(value) >= 100.0 ? number(value, 0)
           : std::abs(value) >= 1.0 ? number(value, 1)
                                    : number(value, 2);
}

std::vector<bool> namedPoints(const ScatterContent& content)
{
    std::vector<int> order;
    for (int index = 0; index < static_cast<int>(content.points.size()); ++index)
        if (isDrawn(content.points[static_cast<std::size_t>(index)]))
            order.push_back(index);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return content.points[static_cast<std::size_t>(a)].y >
               content.points[static_cast<std::size_t>(b)].y;
    });
    std::vector<bool> named(content.points.size(), false);
    for (std::size_t i = 0; i < order.size() && i < static_cast<std::size_t>(content.named); ++i)
        named[static_cast<std::size_t>(order[i])] = true;
    if (content.current && *content.current < static_cast<int>(named.size()))
        named[static_cast<std::size_t>(*content.current)] = true;
    return named;
}

void paintAxes(QPainter& painter, const ScatterLayout& layout, const ScatterContent& content,
               const Theme& theme)
{
    const QRectF plot = layout.plot();
    painter.setPen(QPen(theme.line2, 1.0));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    painter.drawLine(plot.topLeft(), plot.bottomLeft());
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text2);
    const double line = QFontMetricsF(painter.font()).height();
    const QRectF below(plot.left(), plot.bottom() + 4.0, plot.width(), line);
    painter.drawText(below, Qt::AlignLeft | Qt::AlignTop, axisNumber(layout.lowX()));
    painter.drawText(below, Qt::AlignRight | Qt::AlignTop, axisNumber(layout.highX()));
    painter.drawText(below.translated(0.0, line), Qt::AlignHCenter | Qt::AlignTop, content.xName);
    const QRectF beside(plot.left() - 64.0 * theme.scale(), plot.top(), 58.0 * theme.scale(),
                        plot.height());
    painter.drawText(beside, Qt::AlignRight | Qt::AlignTop, axisNumber(layout.highY()));
    painter.drawText(beside, Qt::AlignRight | Qt::AlignBottom, axisNumber(layout.lowY()));
    painter.drawText(QRectF(plot.left(), plot.top() - line - 6.0, plot.width(), line),
                     Qt::AlignLeft | Qt::AlignVCenter, content.yName);
}

void paintName(QPainter& painter, const QRectF& plot, QPointF at, const QString& name,
               const Theme& theme)
{
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(name);
    const bool left = at.x() + kRadius + 4.0 + width > plot.right();
    const QRectF place(left ? at.x() - kRadius - 4.0 - width : at.x() + kRadius + 4.0,
                       at.y() - 10.0, width + 1.0, 20.0);
    painter.setPen(theme.text);
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft, name);
}

} // namespace

ScatterLayout::ScatterLayout(QRectF area, const ScatterContent& content, const Theme& theme)
    : m_x(rangeOf(content.points, &ScatterPoint::x))
    , m_y(rangeOf(content.points, &ScatterPoint::y))
{
    const double line = QFontMetricsF(theme.font(TextRole::Caption)).height();
    m_plot = area.adjusted(52.0 * theme.scale(), line + 10.0, -8.0, -2.0 * line - 8.0);
}

QPointF ScatterLayout::at(const ScatterPoint& point) const
{
    return {m_plot.left() + (point.x - m_x.first) / (m_x.second - m_x.first) * m_plot.width(),
            m_plot.bottom() - (point.y - m_y.first) / (m_y.second - m_y.first) * m_plot.height()};
}

void paintScatter(QPainter& painter, const ScatterLayout& layout, const ScatterContent& content,
                  const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxes(painter, layout, content, theme);
    const std::vector<bool> named = namedPoints(content);
    QColor fill = theme.accent;
    fill.setAlphaF(0.45F);
    for (std::size_t i = 0; i < content.points.size(); ++i) {
        if (!isDrawn(content.points[i]))
            continue;
        const QPointF place = layout.at(content.points[i]);
        const bool current = content.current == static_cast<int>(i);
        painter.setPen(QPen(current ? theme.text : theme.accent, current ? 2.0 : 1.0));
        painter.setBrush(current ? theme.accent : fill);
        painter.drawEllipse(place, current ? kRadius + 1.5 : kRadius,
                            current ? kRadius + 1.5 : kRadius);
        if (named[i])
            paintName(painter, layout.plot(), place, content.points[i].name, theme);
    }
    painter.restore();
}

ScatterWidget::ScatterWidget(QWidget* parent) : DrawnWidget(Items::Plane, {}, parent) {}

void ScatterWidget::setContent(ScatterContent content)
{
    m_content = std::move(content);
    m_byX.clear();
    for (int index = 0; index < static_cast<int>(m_content.points.size()); ++index)
        if (isDrawn(m_content.points[static_cast<std::size_t>(index)]))
            m_byX.push_back(index);
    std::stable_sort(m_byX.begin(), m_byX.end(), [this](int a, int b) {
        return m_content.points[static_cast<std::size_t>(a)].x <
               m_content.points[static_cast<std::size_t>(b)].x;
    });
    const auto found = std::find(m_byX.begin(), m_byX.end(), m_content.current.value_or(-1));
    itemsChanged(found != m_byX.end() ? std::optional(static_cast<int>(found - m_byX.begin()))
                                      : std::nullopt);
}

ScatterLayout ScatterWidget::layoutNow() const
{
    return {QRectF(rect()).adjusted(2, 2, -2, -2), m_content, Theme::of(*this)};
}

const ScatterPoint& ScatterWidget::point(int item) const
{
    return m_content.points[static_cast<std::size_t>(indexOf(item))];
}

/// The nearest point.
std::optional<int> ScatterWidget::itemAt(QPointF position) const
{
    const ScatterLayout layout = layoutNow();
    std::optional<int> nearest;
    double least = kReach;
    for (int item = 0; item < itemCount(); ++item) {
        const QPointF away = layout.at(point(item)) - position;
        const double distance = std::hypot(away.x(), away.y());
        if (distance <= least) {
            least = distance;
            nearest = item;
        }
    }
    return nearest;
}

QString ScatterWidget::itemWords(int item) const
{
    const ScatterPoint& at = point(item);
    return tr("head %1: %2 %3, %4 %5")
        .arg(at.name, m_content.xName, number(at.x, 3), m_content.yName, number(at.y, 3));
}

QRectF ScatterWidget::itemRect(int item) const
{
    const QPointF at = layoutNow().at(point(item));
    return {at - QPointF(kRadius, kRadius), QSizeF(2 * kRadius, 2 * kRadius)};
}

std::optional<int> ScatterWidget::itemAfter(int key) const
{
    const bool up = key == Qt::Key_Up || key == Qt::Key_Down;
    const bool along = key == Qt::Key_Left || key == Qt::Key_Right;
    if ((!up && !along) || m_byX.empty())
        return std::nullopt;
    std::vector<int> order(m_byX.size());
    std::iota(order.begin(), order.end(), 0);
    if (up)
        std::stable_sort(order.begin(), order.end(),
                         [this](int a, int b) { return point(a).y < point(b).y; });
    const bool forward = key == Qt::Key_Right || key == Qt::Key_Up;
    const auto last = static_cast<std::ptrdiff_t>(order.size()) - 1;
    const auto found = std::find(order.begin(), order.end(), currentItem().value_or(-1));
    const std::ptrdiff_t place =
        found == order.end()
            ? (forward ? 0 : last)
            : std::clamp<std::ptrdiff_t>(found - order.begin() + (forward ? 1 : -1), 0, last);
    return order[static_cast<std::size_t>(place)];
}

bool ScatterWidget::openItem(int item)
{
    emit pointOpened(indexOf(item));
    return true;
}

void ScatterWidget::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    paintScatter(painter, layoutNow(), m_content, theme);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 2.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
}

} // namespace headscope::ui
