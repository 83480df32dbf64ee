#include "ui/widgets/charts/point_map.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::ui {

namespace {

constexpr double kMargin = 18.0;
constexpr double kReach = 6.0; // a click so far beside a point still means it

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

/// Beside their points; a name that would lie on one before it is left to the tooltip.
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

PointMapWidget::PointMapWidget(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    makeReadableList(*this, [this] { return readable(); });
}

void PointMapWidget::setContent(PointMapContent content)
{
    const bool moved = content.selected != m_content.selected;
    m_content = std::move(content);
    update();
    if (moved && hasFocus())
        announceCurrent(*this);
}

void PointMapWidget::setToolTipText(std::function<QString(int)> text)
{
    m_toolTipText = std::move(text);
}

PointMapLayout PointMapWidget::layoutNow() const
{
    return {QRectF(rect()), m_content, Theme::of(*this)};
}

QString PointMapWidget::words(int point) const
{
    const QString name = m_content.points[static_cast<std::size_t>(point)].name;
    return m_toolTipText ? m_toolTipText(point) : name;
}

ReadableTable PointMapWidget::readable() const
{
    ReadableTable table;
    table.rows = static_cast<int>(m_content.points.size());
    table.columns = 1;
    table.words = [this](HeatmapCell cell) { return words(cell.row); };
    table.place = [this](HeatmapCell cell) {
        const PointMapLayout layout = layoutNow();
        const double side = 2.0 * layout.radius();
        const QPointF at = layout.at(cell.row);
        return QRectF(at.x() - side / 2.0, at.y() - side / 2.0, side, side);
    };
    if (m_content.selected >= 0)
        table.current = {m_content.selected, 0};
    return table;
}

bool PointMapWidget::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int point = layoutNow().pointAt(help->pos());
        QToolTip::showText(help->globalPos(), point >= 0 ? words(point) : QString(), this);
        return true;
    }
    return QWidget::event(event);
}

void PointMapWidget::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    paintPointMap(painter, QRectF(rect()), m_content, theme);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 2.0));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void PointMapWidget::mousePressEvent(QMouseEvent* event)
{
    const int point = layoutNow().pointAt(event->position());
    if (point < 0 || event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    emit pointActivated(point);
}

void PointMapWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const int point = layoutNow().pointAt(event->position()); point >= 0)
        emit pointOpened(point);
}

/// The nearest point within 45 degrees of an arrow's direction; -1: none.
int PointMapWidget::pointTowards(int key) const
{
    const QPointF way = key == Qt::Key_Left    ? QPointF(-1, 0)
                        : key == Qt::Key_Right ? QPointF(1, 0)
                        : key == Qt::Key_Up    ? QPointF(0, -1)
                        : key == Qt::Key_Down  ? QPointF(0, 1)
                                               : QPointF();
    const auto count = static_cast<int>(m_content.points.size());
    if (way.isNull() || count == 0)
        return -1;
    if (m_content.selected < 0)
        return 0;
    const PointMapLayout layout = layoutNow();
    int best = -1;
    double nearest = std::numeric_limits<double>::infinity();
    for (int point = 0; point < count; ++point) {
        const QPointF apart = layout.at(point) - layout.at(m_content.selected);
        const double along = QPointF::dotProduct(apart, way);
        const double distance = std::hypot(apart.x(), apart.y());
        if (along > 0.0 && along >= 0.7 * distance && distance < nearest) {
            nearest = distance;
            best = point;
        }
    }
    return best;
}

void PointMapWidget::keyPressEvent(QKeyEvent* event)
{
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (opens && m_content.selected >= 0)
        emit pointOpened(m_content.selected);
    else if (const int point = pointTowards(event->key()); point >= 0)
        emit pointActivated(point);
    else
        QWidget::keyPressEvent(event);
}

void PointMapWidget::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    announceCurrent(*this);
}

void PointMapWidget::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

} // namespace headscope::ui
