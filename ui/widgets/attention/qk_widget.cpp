#include "ui/widgets/attention/qk_widget.h"

#include "ui/widgets/readable.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr int kPage = 10; // keys moved by Page Up and Page Down

/// One row per key, one column per stage; the current cell is the weight of the selected key.
ReadableTable readableOf(const QkWidget& widget)
{
    const QkContent& content = widget.content();
    const auto stages = static_cast<int>(content.stages.size());
    return {
        .rows = static_cast<int>(content.keys.size()),
        .columns = stages,
        .rowName =
            [&content](int key) { return content.keys[static_cast<std::size_t>(key)].label; },
        .columnName =
            [&content](int stage) { return content.stages[static_cast<std::size_t>(stage)].title; },
        .words =
            [&content](HeatmapCell cell) { return describeStage(content, cell.row, cell.column); },
        .value = [&content](HeatmapCell cell) { return stageText(content, cell.row, cell.column); },
        .place = [&widget](
                     HeatmapCell cell) { return widget.layoutNow().number(cell.row, cell.column); },
        .current = HeatmapCell{content.key, stages - 1},
    };
}

} // namespace

QkWidget::QkWidget(QWidget* parent) : QAbstractScrollArea(parent)
{
    makeReadable(*this, [this] { return readableOf(*this); });
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Query and keys by dimension"));
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
}

void QkWidget::setContent(QkContent content)
{
    const bool moved = content.key != m_content.key;
    m_content = std::move(content);
    m_imagesAreOld = true;
    if (m_hovered && *m_hovered >= m_content.columns())
        m_hovered.reset();
    refreshColumn();
    refreshScroll();
    if (moved && m_content.key >= 0)
        moveKey(-1); // scroll to it
    describe();
    viewport()->update();
}

QRectF QkWidget::area() const
{
    return QRectF(viewport()->rect()).adjusted(0, 2, 0, -2);
}

QkLayout QkWidget::layoutNow() const
{
    return {area(), m_content, Theme::of(*this), static_cast<double>(verticalScrollBar()->value())};
}

void QkWidget::refreshScroll()
{
    const QkLayout layout = layoutNow();
    const double all = layout.rowHeight() * static_cast<double>(m_content.keys.size());
    verticalScrollBar()->setRange(0, static_cast<int>(std::ceil(all - layout.rows().height())));
    verticalScrollBar()->setPageStep(static_cast<int>(layout.rows().height()));
    verticalScrollBar()->setSingleStep(static_cast<int>(layout.rowHeight()));
}

void QkWidget::refreshColumn()
{
    m_content.column = m_hovered;
    if (m_hovered || !m_pinned)
        return;
    const auto& channels = m_content.channels;
    const auto found = std::find(channels.begin(), channels.end(), *m_pinned);
    if (found != channels.end())
        m_content.column = static_cast<int>(found - channels.begin());
}

void QkWidget::pinChannel(std::optional<int> channel)
{
    m_pinned = channel;
    refreshColumn();
    describe();
    viewport()->update();
}

void QkWidget::pin(std::optional<int> channel)
{
    pinChannel(channel);
    emit channelPinned();
}

/// Moves to a key; -1 only scrolls to the selected one.
void QkWidget::moveKey(int key)
{
    const int wanted = key < 0 ? m_content.key : key;
    const QkLayout layout = layoutNow();
    const QRectF row = layout.row(wanted);
    if (row.top() < layout.rows().top())
        verticalScrollBar()->setValue(verticalScrollBar()->value() -
                                      static_cast<int>(layout.rows().top() - row.top()));
    else if (row.bottom() > layout.rows().bottom())
        verticalScrollBar()->setValue(
            verticalScrollBar()->value() +
            static_cast<int>(std::ceil(row.bottom() - layout.rows().bottom())));
    if (key >= 0 && key != m_content.key)
        emit keyChosen(key);
}

void QkWidget::moveColumn(int column)
{
    m_hovered.reset();
    const int last = m_content.columns() - 1;
    pin(m_content.channels[static_cast<std::size_t>(std::clamp(column, 0, last))]);
}

void QkWidget::describe()
{
    QString text = describeKey(m_content, m_content.key);
    if (m_content.column)
        text += QStringLiteral(". ") + describeColumn(m_content, *m_content.column);
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    if (hasFocus())
        announceCurrent(*this);
}

void QkWidget::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_imagesAreOld = true;
        refreshScroll();
    }
    QAbstractScrollArea::changeEvent(event);
}

void QkWidget::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    m_imagesAreOld = true;
    refreshScroll();
}

void QkWidget::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme.surface);
    if (m_content.isEmpty())
        return;
    const QkLayout layout = layoutNow();
    if (m_imagesAreOld) {
        m_images = qkImages(m_content, theme, layout, devicePixelRatioF());
        m_imagesAreOld = false;
    }
    paintQk(painter, layout, m_content, m_images, theme);
    if (!hasFocus())
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, 2.0));
    painter.drawRect(layout.row(m_content.key).intersected(layout.rows()).adjusted(1, 1, -1, -1));
}

bool QkWidget::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave && m_hovered) {
        m_hovered.reset();
        refreshColumn();
        viewport()->update();
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto key = layoutNow().keyAt(help->pos());
        QToolTip::showText(help->globalPos(), key ? describeKey(m_content, *key) : QString(), this);
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void QkWidget::mouseMoveEvent(QMouseEvent* event)
{
    const auto column = layoutNow().columnAt(event->position());
    if (column == m_hovered)
        return;
    m_hovered = column;
    refreshColumn();
    viewport()->update();
}

/// Pins a dimension, or unpins it on a second click; a click on a key selects it.
void QkWidget::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_content.isEmpty())
        return QAbstractScrollArea::mousePressEvent(event);
    const QkLayout layout = layoutNow();
    const auto key = layout.keyAt(event->position());
    const auto column = layout.columnAt(event->position());
    if (key && *key != m_content.key)
        return moveKey(*key);
    if (!column)
        return;
    const int channel = m_content.channels[static_cast<std::size_t>(*column)];
    pin(m_pinned == channel ? std::nullopt : std::optional(channel));
}

void QkWidget::keyPressEvent(QKeyEvent* event)
{
    if (m_content.isEmpty())
        return QAbstractScrollArea::keyPressEvent(event);
    const int last = static_cast<int>(m_content.keys.size()) - 1;
    const bool shifted = (event->modifiers() & Qt::ShiftModifier) != 0;
    const int column = m_content.column.value_or(-1);
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const int step = event->key() == Qt::Key_Up ? -1 : 1;
        if (shifted)
            emit queryMoved(step);
        else
            moveKey(std::clamp(m_content.key + step, 0, last));
        return;
    }
    case Qt::Key_PageUp:
        return moveKey(std::max(m_content.key - kPage, 0));
    case Qt::Key_PageDown:
        return moveKey(std::min(m_content.key + kPage, last));
    case Qt::Key_Left:
        return moveColumn(column < 0 ? m_content.columns() - 1 : column - 1);
    case Qt::Key_Right:
        return moveColumn(column + 1);
    case Qt::Key_Home:
        return moveColumn(0);
    case Qt::Key_End:
        return moveColumn(m_content.columns() - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (event->modifiers() & Qt::ControlModifier)
            break;
        emit numberOpened();
        return;
    case Qt::Key_Escape:
        if (m_pinned)
            return pin(std::nullopt);
        break;
    default:
        break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

void QkWidget::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void QkWidget::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

} // namespace headscope::ui
