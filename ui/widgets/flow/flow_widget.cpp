#include "ui/widgets/flow/flow_widget.h"

#include "ui/widgets/flow/flow_paint.h"
#include "ui/widgets/style/focus_frame.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>

#include <algorithm>

namespace headscope::ui {

FlowWidget::FlowWidget() : DrawnWidget(Items::Table, tr("Attention flow through the layers"))
{
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    leaveKeysWith(~(Qt::KeypadModifier | Qt::ShiftModifier));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void FlowWidget::setContent(FlowGraphContent content)
{
    const bool resized = content.tokens() != m_content.tokens();
    if (!content.cursor)
        content.cursor = m_content.cursor;
    if (content.cursor && !content.contains(*content.cursor))
        content.cursor.reset();
    m_content = std::move(content);
    m_drawn = drawnEdges(m_content);
    if (resized)
        updateGeometry();
    itemsChanged(itemOf(m_content.cursor));
}

std::optional<int> FlowWidget::itemOf(std::optional<FlowNode> node) const
{
    return node && m_content.contains(*node)
               ? std::optional(node->token * m_content.levels + node->level)
               : std::nullopt;
}

FlowLayout FlowWidget::layoutNow() const
{
    return {QRectF(rect()).adjusted(8, 0, -8, -8), m_content, Theme::of(*this)};
}

QRectF FlowWidget::itemRect(int item) const
{
    const FlowLayout layout = layoutNow();
    const QPointF place = layout.place(nodeOf(item));
    const double side = layout.rowHeight();
    return {place.x() - side / 2.0, place.y() - side / 2.0, side, side};
}

QSize FlowWidget::sizeHint() const
{
    const double height = FlowLayout::wantedHeight(m_content.tokens(), Theme::of(*this));
    return {640, qRound(height) + 8};
}

QSize FlowWidget::minimumSizeHint() const
{
    const double height = FlowLayout::leastHeight(m_content.tokens(), Theme::of(*this));
    return {320, qRound(height) + 8};
}

QString FlowWidget::itemText(int item) const
{
    const QString words = describeNode(m_content, nodeOf(item));
    const QString edges = describeEdgesInto(m_content, m_drawn, nodeOf(item));
    return edges.isEmpty() ? words : words + QStringLiteral("; ") + edges;
}

QString FlowWidget::itemToolTip(int item) const
{
    return describeNode(m_content, nodeOf(item));
}

QString FlowWidget::toolTipAt(QPointF position) const
{
    const auto edge = edgeAt(position);
    return edge ? describeEdge(m_content, *edge) : DrawnWidget::toolTipAt(position);
}

/// One row per token, one column per level.
ReadableTable FlowWidget::readable() const
{
    ReadableTable table = DrawnWidget::readable();
    table.rowName = [this](int row) { return m_content.labels.value(row); };
    table.columnName = [](int column) { return levelName(column); };
    table.value = [this](HeatmapCell cell) {
        return describeEdgesInto(m_content, m_drawn, {cell.column, cell.row});
    };
    return table;
}

std::optional<int> FlowWidget::itemAt(QPointF position) const
{
    return itemOf(layoutNow().nodeAt(position));
}

std::optional<FlowEdge> FlowWidget::edgeAt(QPointF position) const
{
    const FlowLayout layout = layoutNow();
    return layout.nodeAt(position) ? std::nullopt : layout.edgeAt(position, m_drawn);
}

void FlowWidget::paintEvent(QPaintEvent* event)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    FlowGraphContent shown = m_content;
    if (!hasFocus())
        shown.cursor.reset();
    const FlowLayout layout = layoutNow();
    const QRectF exposed = event->rect();
    painter.drawImage(exposed.topLeft(),
                      flowImage(layout, shown, m_drawn, exposed, theme, devicePixelRatioF()));
    paintFlowNodes(painter, layout, shown, exposed, theme);
    if (!m_content.cursor)
        paintFocusFrame(painter, *this);
}

void FlowWidget::mousePressEvent(QMouseEvent* event)
{
    const auto edge = edgeAt(event->position());
    if (edge && event->button() == Qt::LeftButton)
        emit edgeActivated(*edge);
    else
        DrawnWidget::mousePressEvent(event);
}

void FlowWidget::clickItem(int item)
{
    setCursorNode(nodeOf(item));
    emit nodeActivated(nodeOf(item));
}

bool FlowWidget::openItem(int)
{
    if (m_content.cursor)
        emit nodeActivated(*m_content.cursor);
    return m_content.cursor.has_value();
}

void FlowWidget::mouseMoveEvent(QMouseEvent* event)
{
    const bool over = itemAt(event->position()) || edgeAt(event->position());
    setCursor(over ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void FlowWidget::focusInEvent(QFocusEvent* event)
{
    DrawnWidget::focusInEvent(event);
    if (!m_content.cursor && m_content.tokens() > 0)
        setCursorNode(
            m_content.pinned.value_or(FlowNode{m_content.levels - 1, m_content.tokens() - 1}));
}

void FlowWidget::setCursorNode(FlowNode node)
{
    if (!m_content.contains(node))
        return;
    m_content.cursor = node;
    setCurrentItem(itemOf(node));
    const QPoint place = layoutNow().place(node).toPoint();
    emit cursorMoved(QRect(place - QPoint(24, 24), QSize(48, 48)));
}

std::optional<int> FlowWidget::itemAfter(int key) const
{
    const QPoint way = directionOf(key).toPoint();
    const bool jumps = key == Qt::Key_Home || key == Qt::Key_End;
    if (itemCount() == 0 || (way.isNull() && !jumps))
        return std::nullopt;
    const int last = m_content.tokens() - 1;
    FlowNode node = nodeOf(currentItem().value_or(itemCount() - 1));
    node.level = std::clamp(node.level + way.x(), 0, m_content.levels - 1);
    node.token = std::clamp(node.token + way.y(), 0, last);
    if (jumps)
        node.token = key == Qt::Key_Home ? 0 : last;
    return itemOf(node);
}

/// Moves to the next weaker or stronger edge into the cursor's node, cyclically.
void FlowWidget::stepEdge(int step)
{
    if (!m_content.cursor)
        return;
    const std::vector<FlowEdge> edges = edgesInto(m_drawn, *m_content.cursor);
    if (edges.empty())
        return;
    const auto count = static_cast<int>(edges.size());
    int index = step > 0 ? -1 : 0;
    for (int other = 0; other < count; ++other) {
        if (m_content.edge && edges[static_cast<std::size_t>(other)].joins(*m_content.edge))
            index = other;
    }
    emit edgeActivated(edges[static_cast<std::size_t>((index + step + count) % count)]);
}

bool FlowWidget::pressKey(const QKeyEvent& event)
{
    if (event.key() == Qt::Key_Space)
        return openItem(0);
    if (event.key() != Qt::Key_E || itemCount() == 0)
        return false;
    stepEdge((event.modifiers() & Qt::ShiftModifier) != 0 ? -1 : 1);
    return true;
}

QString FlowWidget::description() const
{
    QStringList words;
    if (m_content.cursor && m_content.contains(*m_content.cursor))
        words << describeNode(m_content, *m_content.cursor);
    if (m_content.edge)
        words << describeEdge(m_content, *m_content.edge);
    return words.join(QStringLiteral("; "));
}

} // namespace headscope::ui
