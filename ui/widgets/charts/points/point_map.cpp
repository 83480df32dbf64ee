#include "ui/widgets/charts/points/point_map.h"

#include "ui/widgets/style/focus_frame.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kMargin = 18.0;
constexpr double kReach = 6.0; // a click this close to a point selects it

void paintLinks(QPainter& painter, const PointMapContent& content, const PointMapLayout& layout,
                const Theme& theme)
{
    if (content.selected < 0)
        return;
    painter.setPen(QPen(theme.line2, 1.0));
    for (const int point : content.linked)
        painter.drawLine(layout.at(content.selected), layout.at(point));
}

void paintPoint(QPainter& painter, QPointF at, double radius, const MapPoint& point,
                const QColor& ring, const ColourLookup& lookup, const Theme& theme)
{
    painter.setOpacity(point.faint ? 0.25 : 1.0);
    painter.setPen(QPen(ring, 1.5));
    const bool hollow = std::isnan(point.shade);
    painter.setBrush(hollow ? QBrush(theme.surface)
                            : QBrush(QColor(lookup.colour(static_cast<float>(point.shade)))));
    painter.drawEllipse(at, radius, radius);
    painter.setOpacity(1.0);
}

/// Paints names beside their points; a name that would overlap an earlier one is only in the
/// tooltip.
void paintNames(QPainter& painter, const QRectF& area, const PointMapContent& content,
                const PointMapLayout& layout, const std::vector<int>& named, const Theme& theme)
{
    const double away = layout.radius() + 7.0;
    painter.setFont(theme.bold(TextRole::Caption));
    const QFontMetricsF metrics(painter.font());
    std::vector<QRectF> taken;
    for (const int point : named) {
        const QString& name = content.points[static_cast<std::size_t>(point)].name;
        const QPointF at = layout.at(point);
        QRectF box(at.x() + away, at.y() - metrics.height() / 2.0,
                   metrics.horizontalAdvance(name) + 4.0, metrics.height());
        if (box.right() > area.right())
            box.moveRight(at.x() - away);
        if (std::any_of(taken.begin(), taken.end(),
                        [&box](const QRectF& other) { return other.intersects(box); }))
            continue;
        taken.push_back(box);
        painter.setPen(theme.text);
        painter.drawText(box, Qt::AlignVCenter | Qt::AlignLeft, name);
    }
}

} // namespace

PointMapLayout::PointMapLayout(QRectF area, const PointMapContent& content, const Theme& theme)
    : m_radius(5.0 * theme.scale())
{
    const QRectF inner = area.adjusted(kMargin, kMargin, -kMargin, -kMargin);
    double left = std::numeric_limits<double>::infinity();
    double right = -left;
    double top = left;
    double bottom = -left;
    for (const MapPoint& point : content.points) {
        left = std::min(left, point.x);
        right = std::max(right, point.x);
        top = std::min(top, point.y);
        bottom = std::max(bottom, point.y);
    }
    const double wide = std::max(right - left, 1e-9);
    const double high = std::max(bottom - top, 1e-9);
    const double scale = std::min(inner.width() / wide, inner.height() / high);
    const QPointF middle((left + right) / 2.0, (top + bottom) / 2.0);
    const bool oneSpot = right - left < 1e-9 && bottom - top < 1e-9;
    for (const MapPoint& point : content.points)
        m_places.push_back(inner.center() +
                           (oneSpot ? QPointF() : (QPointF(point.x, point.y) - middle) * scale));
}

int PointMapLayout::pointAt(QPointF position) const
{
    int best = -1;
    double nearest = m_radius + kReach;
    for (std::size_t point = 0; point < m_places.size(); ++point) {
        const QPointF apart = m_places[point] - position;
        const double distance = std::hypot(apart.x(), apart.y());
        if (distance <= nearest) {
            nearest = distance;
            best = static_cast<int>(point);
        }
    }
    return best;
}

void paintPointMap(QPainter& painter, const QRectF& area, const PointMapContent& content,
                   const Theme& theme)
{
    const PointMapLayout layout(area, content, theme);
    const ColourLookup lookup({content.map, 0.0F, 1.0F, 1.0}, theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paintLinks(painter, content, layout, theme);
    for (std::size_t index = 0; index < content.points.size(); ++index) {
        const MapPoint& point = content.points[index];
        const QColor ring = content.clusters > 1
                                ? theme.heads[static_cast<std::size_t>(point.cluster) % 8]
                                : theme.line2;
        paintPoint(painter, layout.at(static_cast<int>(index)), layout.radius(), point, ring,
                   lookup, theme);
    }
    std::vector<int> named;
    if (content.selected >= 0) {
        painter.setPen(QPen(theme.text, 2.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(layout.at(content.selected), layout.radius() + 3.0,
                            layout.radius() + 3.0);
        named.push_back(content.selected);
    }
    named.insert(named.end(), content.linked.begin(), content.linked.end());
    paintNames(painter, area, content, layout, named, theme);
    painter.restore();
}

PointMapWidget::PointMapWidget(QWidget* parent) : DrawnWidget(Items::Plane, {}, parent) {}

void PointMapWidget::setContent(PointMapContent content)
{
    m_content = std::move(content);
    itemsChanged(m_content.selected >= 0 ? std::optional(m_content.selected) : std::nullopt);
}

void PointMapWidget::setToolTipText(std::function<QString(int)> text)
{
    m_toolTipText = std::move(text);
}

PointMapLayout PointMapWidget::layoutNow() const
{
    return {QRectF(rect()), m_content, Theme::of(*this)};
}

QString PointMapWidget::itemText(int point) const
{
    const QString name = m_content.points[static_cast<std::size_t>(point)].name;
    return m_toolTipText ? m_toolTipText(point) : name;
}

QRectF PointMapWidget::itemRect(int point) const
{
    const PointMapLayout layout = layoutNow();
    const double side = 2.0 * layout.radius();
    return {layout.at(point) - QPointF(side, side) / 2.0, QSizeF(side, side)};
}

std::optional<int> PointMapWidget::itemAt(QPointF position) const
{
    const int point = layoutNow().pointAt(position);
    return point >= 0 ? std::optional(point) : std::nullopt;
}

void PointMapWidget::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    paintPointMap(painter, QRectF(rect()), m_content, theme);
    paintFocusFrame(painter, *this);
}

/// Nearest point within 45 degrees of an arrow's direction.
std::optional<int> PointMapWidget::itemAfter(int key) const
{
    const QPointF way = directionOf(key);
    if (way.isNull() || itemCount() == 0)
        return std::nullopt;
    if (!currentItem())
        return 0;
    const PointMapLayout layout = layoutNow();
    std::optional<int> best;
    double nearest = std::numeric_limits<double>::infinity();
    for (int point = 0; point < itemCount(); ++point) {
        const QPointF apart = layout.at(point) - layout.at(*currentItem());
        const double along = QPointF::dotProduct(apart, way);
        const double distance = std::hypot(apart.x(), apart.y());
        if (along > 0.0 && along >= 0.7 * distance && distance < nearest) {
            nearest = distance;
            best = point;
        }
    }
    return best;
}

bool PointMapWidget::openItem(int point)
{
    emit pointOpened(point);
    return true;
}

void PointMapWidget::focusInEvent(QFocusEvent* event)
{
    DrawnWidget::focusInEvent(event);
    announceCurrent(*this);
}

} // namespace headscope::ui
