#include "ui/widgets/arcs/arcs_widget.h"

#include "ui/widgets/arcs/arcs_table.h"
#include "ui/widgets/readable.h"

#include <QAccessible>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

ArcsWidget::ArcsWidget(QWidget* parent) : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Arcs"));
    makeReadable(*this, [this] {
        return arcsTable(m_content, [this](HeatmapCell pair) { return pairRect(pair); });
    });
}

void ArcsWidget::setContent(ArcsContent content)
{
    content.hovered = m_content.hovered;
    if (content.hovered && !content.contains(*content.hovered))
        content.hovered.reset();
    m_content = std::move(content);
    updateScrollBar();
    redraw();
    announce();
}

void ArcsWidget::setHovered(std::optional<ArcEnd> end)
{
    if (end && !m_content.contains(*end))
        end.reset();
    if (end == m_content.hovered)
        return;
    m_content.hovered = end;
    viewport()->update();
    announce();
    emit tokenHovered(end);
}

ArcsLayout ArcsWidget::layoutNow() const
{
    return {QRectF(viewport()->rect()), m_content, Theme::of(*this),
            static_cast<double>(verticalScrollBar()->value())};
}

QRectF ArcsWidget::pairRect(HeatmapCell pair) const
{
    const ArcsLayout layout = layoutNow();
    return layout.row({ArcSide::Query, pair.row}).united(layout.row({ArcSide::Key, pair.column}));
}

bool ArcsWidget::escape()
{
    if (m_content.hovered && m_byKeyboard) {
        m_byKeyboard = false;
        setHovered({});
        return true;
    }
    if (!m_content.pinned)
        return false;
    emit tokenFreed();
    return true;
}

QSize ArcsWidget::sizeHint() const
{
    return {900, 620};
}

QSize ArcsWidget::minimumSizeHint() const
{
    return {480, 240};
}

void ArcsWidget::redraw()
{
    m_images = {};
    viewport()->update();
}

void ArcsWidget::updateScrollBar()
{
    const ArcsLayout layout = layoutNow();
    const double hidden = layout.rowsHeight() - layout.rows().height();
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(hidden))));
    verticalScrollBar()->setPageStep(std::max(1, static_cast<int>(layout.rows().height())));
    verticalScrollBar()->setSingleStep(static_cast<int>(layout.pitch()));
}

void ArcsWidget::paintEvent(QPaintEvent*)
{
    QElapsedTimer timer;
    timer.start();
    const Theme theme = Theme::of(*this);
    QPainter painter(viewport());
    if (m_content.isEmpty() || !m_content.focus())
        painter.fillRect(viewport()->rect(), theme.surface);
    if (!m_content.isEmpty()) {
        const ArcsLayout layout = layoutNow();
        if (m_images.rest.isNull())
            m_images = arcsImages(m_content, layout, theme, devicePixelRatioF());
        if (m_images.behind.isNull() && m_content.focus())
            prepareFocus(m_images, m_content, layout, theme, viewport()->size());
        if (m_content.focus())
            paintFocused(painter, layout, m_content, theme, m_images);
        else
            paintArcs(painter, layout, m_content, theme, m_images);
    }
    if (hasFocus())
        paintRing(painter, theme);
    emit painted(static_cast<double>(timer.nsecsElapsed()) / 1e6);
}

/// Paints the focus ring around the focused token, or around the whole widget.
void ArcsWidget::paintRing(QPainter& painter, const Theme& theme) const
{
    const auto focus = m_content.focus();
    const QRectF place = focus && !m_content.isEmpty()
                             ? arcChip(layoutNow(), m_content, *focus, theme).adjusted(-3, -3, 3, 3)
                             : QRectF(viewport()->rect()).adjusted(1, 1, -1, -1);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, 2.0));
    painter.drawRoundedRect(place, 6, 6);
}

void ArcsWidget::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBar();
    redraw();
}

void ArcsWidget::scrollContentsBy(int, int)
{
    redraw();
}

void ArcsWidget::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        updateScrollBar();
        redraw();
    }
    QAbstractScrollArea::changeEvent(event);
}

bool ArcsWidget::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave) {
        m_byKeyboard = false;
        setHovered({});
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void ArcsWidget::mouseMoveEvent(QMouseEvent* event)
{
    const auto end = layoutNow().endAt(event->position());
    m_byKeyboard = false;
    setHovered(end);
    viewport()->setCursor(end ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void ArcsWidget::mousePressEvent(QMouseEvent* event)
{
    const auto end = layoutNow().endAt(event->position());
    if (event->button() == Qt::LeftButton && end)
        pin(*end);
    else
        QAbstractScrollArea::mousePressEvent(event);
}

/// Pins a token; a second click unpins it.
void ArcsWidget::pin(ArcEnd end)
{
    if (m_content.pinned == end)
        emit tokenFreed();
    else
        emit tokenPinned(end);
}

void ArcsWidget::keyPressEvent(QKeyEvent* event)
{
    const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    const int key = event->key();
    if (!plain) {
        QAbstractScrollArea::keyPressEvent(event);
    } else if (key >= Qt::Key_0 && key <= Qt::Key_9) {
        emit headToggled(key - Qt::Key_0);
    } else if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) {
        if (const auto focus = m_content.focus())
            pin(*focus);
    } else if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_Left ||
               key == Qt::Key_Right || key == Qt::Key_Home || key == Qt::Key_End) {
        moveCursor(key);
    } else if (key != Qt::Key_Escape || !escape()) {
        event->ignore(); // the window handles page keys and leaving
    }
}

/// Moves from the focused token, or from the first query. A pinned token moves along, so that there
/// is only one selection.
void ArcsWidget::moveCursor(int key)
{
    if (m_content.isEmpty())
        return;
    const auto before = m_content.pinned ? m_content.pinned : m_content.hovered;
    ArcEnd end = before.value_or(ArcEnd{ArcSide::Query, 0});
    const auto last = [this](ArcSide side) {
        return static_cast<int>(
                   (side == ArcSide::Query ? m_content.queries : m_content.keys).size()) -
               1;
    };
    if (key == Qt::Key_Left || key == Qt::Key_Right)
        end.side = key == Qt::Key_Left ? ArcSide::Query : ArcSide::Key;
    else if (key == Qt::Key_Home || key == Qt::Key_End)
        end.index = key == Qt::Key_Home ? 0 : last(end.side);
    else if (before)
        end.index += key == Qt::Key_Up ? -1 : 1;
    end.index = std::clamp(end.index, 0, last(end.side));
    if (m_content.pinned)
        movePin(end);
    m_byKeyboard = !m_content.pinned;
    setHovered(m_content.pinned ? std::nullopt : std::optional(end));
    showRow(end);
}

void ArcsWidget::movePin(ArcEnd end)
{
    if (m_content.pinned == end)
        return;
    m_content.pinned = end;
    m_content.pairedWith.reset();
    redraw();
    announce();
    emit tokenPinned(end);
}

void ArcsWidget::showRow(ArcEnd end)
{
    const ArcsLayout layout = layoutNow();
    const QRectF row = layout.row(end);
    const double above = layout.rows().top() - row.top();
    const double below = row.bottom() - layout.rows().bottom();
    const double move = above > 0.0 ? -above : std::max(below, 0.0);
    verticalScrollBar()->setValue(
        verticalScrollBar()->value() +
        static_cast<int>(move < 0.0 ? std::floor(move) : std::ceil(move)));
}

void ArcsWidget::focusInEvent(QFocusEvent* event)
{
    viewport()->update();
    QAbstractScrollArea::focusInEvent(event);
}

void ArcsWidget::focusOutEvent(QFocusEvent* event)
{
    viewport()->update();
    QAbstractScrollArea::focusOutEvent(event);
}

void ArcsWidget::announce()
{
    const auto focus = m_content.focus();
    const QString words = focus ? describeEnd(m_content, *focus) : countText(m_content.counts);
    if (words == accessibleDescription())
        return;
    setAccessibleDescription(words);
    announceCurrent(*this);
}

} // namespace headscope::ui
