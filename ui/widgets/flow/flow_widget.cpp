#include "ui/widgets/flow/flow_widget.h"

#include "ui/widgets/flow/flow_paint.h"
#include "ui/widgets/flow/flow_table.h"
#include "ui/widgets/readable.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace headscope::ui {

FlowWidget::FlowWidget(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Paths through the layers"));
    makeReadable(*this, [this] {
        return flowTable(m_content, m_drawn, [this](HeatmapCell cell) { return cellRect(cell); });
    });
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
    describe();
    update();
}

FlowLayout FlowWidget::layoutNow() const
{
    return {QRectF(rect()).adjusted(8, 0, -8, -8), m_content, Theme::of(*this)};
}

QRectF FlowWidget::cellRect(HeatmapCell cell) const
{
    const FlowLayout layout = layoutNow();
    const QPointF place = layout.place({cell.column, cell.row});
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

void FlowWidget::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        update();
    QWidget::changeEvent(event);
}

bool FlowWidget::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const FlowLayout layout = layoutNow();
    if (const auto node = layout.nodeAt(help->pos()))
        QToolTip::showText(help->globalPos(), describeNode(m_content, *node), this);
    else if (const auto edge = layout.edgeAt(help->pos(), m_drawn))
        QToolTip::showText(help->globalPos(), describeEdge(m_content, *edge), this);
    else
        QToolTip::hideText();
    return true;
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
    if (hasFocus() && !m_content.cursor) {
        painter.setPen(QPen(theme.accent, 2.0));
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void FlowWidget::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    const FlowLayout layout = layoutNow();
    if (const auto node = layout.nodeAt(event->position())) {
        setCursorNode(*node);
        emit nodeActivated(*node);
    } else if (const auto edge = layout.edgeAt(event->position(), m_drawn)) {
        emit edgeActivated(*edge);
    }
}

void FlowWidget::mouseMoveEvent(QMouseEvent* event)
{
    const FlowLayout layout = layoutNow();
    const bool over = layout.nodeAt(event->position()).has_value() ||
                      layout.edgeAt(event->position(), m_drawn).has_value();
    setCursor(over ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void FlowWidget::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    if (!m_content.cursor && m_content.tokens() > 0)
        setCursorNode(
            m_content.pinned.value_or(FlowNode{m_content.levels - 1, m_content.tokens() - 1}));
}

void FlowWidget::setCursorNode(FlowNode node)
{
    if (!m_content.contains(node))
        return;
    m_content.cursor = node;
    describe();
    const QPoint place = layoutNow().place(node).toPoint();
    emit cursorMoved(QRect(place - QPoint(24, 24), QSize(48, 48)));
    update();
}

bool FlowWidget::moveCursor(int key)
{
    FlowNode node =
        m_content.cursor.value_or(FlowNode{m_content.levels - 1, m_content.tokens() - 1});
    switch (key) {
    case Qt::Key_Left:
        --node.level;
        break;
    case Qt::Key_Right:
        ++node.level;
        break;
    case Qt::Key_Up:
        --node.token;
        break;
    case Qt::Key_Down:
        ++node.token;
        break;
    case Qt::Key_Home:
        node.token = 0;
        break;
    case Qt::Key_End:
        node.token = m_content.tokens() - 1;
        break;
    default:
        return false;
    }
    node.level = std::clamp(node.level, 0, m_content.levels - 1);
    node.token = std::clamp(node.token, 0, m_content.tokens() - 1);
    setCursorNode(node);
    return true;
}

/// From one edge into the cursor's node to the next weaker or stronger, and round again.
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

void FlowWidget::keyPressEvent(QKeyEvent* event)
{
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    const bool plain = modifiers == Qt::NoModifier || modifiers == Qt::ShiftModifier;
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter ||
                       event->key() == Qt::Key_Space;
    if (m_content.tokens() == 0 || !plain) {
        QWidget::keyPressEvent(event);
    } else if (opens && m_content.cursor) {
        emit nodeActivated(*m_content.cursor);
    } else if (event->key() == Qt::Key_E) {
        stepEdge(modifiers == Qt::ShiftModifier ? -1 : 1);
    } else if (modifiers != Qt::NoModifier || !moveCursor(event->key())) {
        QWidget::keyPressEvent(event);
    }
}

/// What a screen reader says.
void FlowWidget::describe()
{
    QStringList words;
    if (m_content.cursor && m_content.contains(*m_content.cursor))
        words << describeNode(m_content, *m_content.cursor);
    if (m_content.edge)
        words << describeEdge(m_content, *m_content.edge);
    const QString text = words.join(QStringLiteral("; "));
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    announceCurrent(*this);
}

} // namespace headscope::ui
