#include "ui/widgets/drawn_widget.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QVariant>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::ui {

namespace {

/// Distance to `to` weighted by its deviation from the direction `way`; infinite behind or far
/// aside.
double farness(QPointF to, QPointF way)
{
    constexpr double kAside = 1.5;  // deviation counts more than distance
    constexpr double kWidest = 2.5; // maximum deviation from the direction
    const double ahead = QPointF::dotProduct(to, way);
    const double aside = std::abs(to.x() * way.y() - to.y() * way.x());
    return ahead < 1.0 || aside > kWidest * ahead ? std::numeric_limits<double>::infinity()
                                                  : ahead + kAside * aside;
}

/// A widget without items is no tab stop; the policy that it has with items is kept.
void followItems(QWidget& widget, int items)
{
    constexpr const char* kTabStop = "tabStop";
    const QVariant kept = widget.property(kTabStop);
    if (items > 0 && kept.isValid()) {
        widget.setFocusPolicy(static_cast<Qt::FocusPolicy>(kept.toInt()));
        widget.setProperty(kTabStop, {});
    } else if (items == 0 && !kept.isValid()) {
        widget.setProperty(kTabStop, static_cast<int>(widget.focusPolicy()));
        widget.setFocusPolicy(Qt::NoFocus);
    }
}

} // namespace

DrawnWidget::DrawnWidget(Items items, const QString& accessibleName, QWidget* parent)
    : QWidget(parent)
    , m_items(items)
{
    setFocusPolicy(Qt::StrongFocus);
    if (!accessibleName.isEmpty())
        setAccessibleName(accessibleName);
    if (items == Items::Table)
        makeReadable(*this, [this] { return readable(); });
    else
        makeReadableList(*this, [this] { return readable(); });
}

QPointF DrawnWidget::directionOf(int key)
{
    switch (key) {
    case Qt::Key_Left:
        return {-1, 0};
    case Qt::Key_Right:
        return {1, 0};
    case Qt::Key_Up:
        return {0, -1};
    case Qt::Key_Down:
        return {0, 1};
    default:
        return {};
    }
}

std::optional<int> DrawnWidget::itemAt(QPointF position) const
{
    for (int item = 0; item < itemCount(); ++item) {
        if (itemRect(item).contains(position))
            return item;
    }
    return std::nullopt;
}

/// A table always has a keyboard item.
std::optional<int> DrawnWidget::keyboardItem() const
{
    return m_items == Items::Table && itemCount() > 0 ? m_current.value_or(0) : m_current;
}

std::optional<int> DrawnWidget::itemAfter(int key) const
{
    if (itemCount() == 0)
        return std::nullopt;
    switch (m_items) {
    case Items::Row:
        return itemInLine(key, Qt::Key_Left, Qt::Key_Right);
    case Items::Column:
        return itemInLine(key, Qt::Key_Up, Qt::Key_Down);
    case Items::Table:
        return itemInTable(key);
    case Items::Plane:
        return itemInPlane(key);
    }
    return std::nullopt;
}

std::optional<int> DrawnWidget::itemInLine(int key, Qt::Key back, Qt::Key forth) const
{
    if (key != back && key != forth)
        return std::nullopt;
    return std::clamp(m_current.value_or(-1) + (key == forth ? 1 : -1), 0, itemCount() - 1);
}

std::optional<int> DrawnWidget::itemInTable(int key) const
{
    const int columns = std::max(columnCount(), 1);
    const int rows = (itemCount() + columns - 1) / columns;
    const int now = *keyboardItem();
    int row = now / columns;
    int column = now % columns;
    const QPoint way = directionOf(key).toPoint();
    if (key == Qt::Key_Home)
        column = 0;
    else if (key == Qt::Key_End)
        column = columns - 1;
    else if (way.isNull())
        return std::nullopt;
    row = std::clamp(row + way.y(), 0, rows - 1);
    column = std::clamp(column + way.x(), 0, columns - 1);
    return std::min(row * columns + column, itemCount() - 1);
}

std::optional<int> DrawnWidget::itemInPlane(int key) const
{
    const QPointF way = directionOf(key);
    if (way.isNull() && key != Qt::Key_Home && key != Qt::Key_End)
        return std::nullopt;
    if (key == Qt::Key_End)
        return itemCount() - 1;
    if (key == Qt::Key_Home || !m_current)
        return 0;
    const QPointF start = itemRect(*m_current).center();
    int best = *m_current;
    double least = std::numeric_limits<double>::infinity();
    for (int item = 0; item < itemCount(); ++item) {
        const double far = farness(itemRect(item).center() - start, way);
        if (far < least) {
            least = far;
            best = item;
        }
    }
    return best;
}

ReadableTable DrawnWidget::readable() const
{
    const int columns = std::max(columnCount(), 1);
    const auto item = [columns](HeatmapCell cell) { return cell.row * columns + cell.column; };
    ReadableTable table;
    table.rows = (itemCount() + columns - 1) / columns;
    table.columns = columns;
    table.words = [this, item](HeatmapCell cell) { return itemText(item(cell)); };
    table.place = [this, item](HeatmapCell cell) { return itemRect(item(cell)); };
    if (m_current)
        table.current = HeatmapCell{*m_current / columns, *m_current % columns};
    return table;
}

QString DrawnWidget::description() const
{
    return m_current ? itemText(*m_current) : QString();
}

void DrawnWidget::setCurrentItem(std::optional<int> item)
{
    if (item != m_current)
        makeCurrent(item);
}

void DrawnWidget::itemsChanged()
{
    itemsChanged(m_current);
}

void DrawnWidget::itemsChanged(std::optional<int> current)
{
    const int last = itemCount() - 1;
    followItems(*this, itemCount());
    if (m_hovered && *m_hovered > last)
        m_hovered.reset();
    makeCurrent(current && last >= 0 ? std::optional(std::min(*current, last)) : std::nullopt);
}

void DrawnWidget::makeCurrent(std::optional<int> current)
{
    const bool moved = current != m_current;
    m_current = current;
    update();
    const QString text = description();
    const bool saysMore = text != accessibleDescription();
    if (saysMore)
        setAccessibleDescription(text);
    if ((moved || saysMore) && hasFocus())
        announceCurrent(*this);
}

bool DrawnWidget::event(QEvent* event)
{
    if (event->type() == QEvent::ApplicationFontChange)
        updateGeometry();
    else if (event->type() == QEvent::Show)
        followItems(*this, itemCount());
    if (event->type() != QEvent::ToolTip || !m_hasToolTips)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto item = itemAt(help->pos());
    QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), this,
                       item ? itemRect(*item).toAlignedRect() : QRect());
    return true;
}

QString DrawnWidget::toolTipAt(QPointF position) const
{
    const auto item = itemAt(position);
    return item ? itemToolTip(*item) : QString();
}

std::optional<int> DrawnWidget::itemUnder(const QMouseEvent& event) const
{
    return event.button() == Qt::LeftButton ? itemAt(event.position()) : std::nullopt;
}

void DrawnWidget::mousePressEvent(QMouseEvent* event)
{
    if (const auto item = itemUnder(*event))
        clickItem(*item);
    else
        QWidget::mousePressEvent(event);
}

void DrawnWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto item = itemUnder(*event);
    if (!item || !openItem(*item))
        QWidget::mouseDoubleClickEvent(event);
}

void DrawnWidget::mouseMoveEvent(QMouseEvent* event)
{
    if (!hasMouseTracking())
        return QWidget::mouseMoveEvent(event);
    setHovered(itemAt(event->position()));
}

void DrawnWidget::leaveEvent(QEvent* event)
{
    setHovered(std::nullopt);
    QWidget::leaveEvent(event);
}

void DrawnWidget::setHovered(std::optional<int> item)
{
    if (item == m_hovered)
        return;
    m_hovered = item;
    update();
    hoverChanged();
}

void DrawnWidget::keyPressEvent(QKeyEvent* event)
{
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const auto now = keyboardItem();
    if ((event->modifiers() & m_foreign) != Qt::NoModifier)
        return QWidget::keyPressEvent(event);
    if (pressKey(*event))
        return;
    if (const auto next = opens ? std::nullopt : itemAfter(event->key()))
        goToItem(*next);
    else if (!opens || !now || !openItem(*now))
        QWidget::keyPressEvent(event);
}

} // namespace headscope::ui
