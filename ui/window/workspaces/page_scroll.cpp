#include "ui/window/workspaces/page_scroll.h"

#include <QEvent>
#include <QKeyEvent>
#include <QScopedValueRollback>

namespace headscope::ui {

PageScroll::PageScroll(QWidget& content, QWidget* parent) : QScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setWidget(&content);
    content.setAutoFillBackground(false);
    viewport()->setAutoFillBackground(false);
}

bool PageScroll::eventFilter(QObject* watched, QEvent* event)
{
    const bool handled = QScrollArea::eventFilter(watched, event);
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        fitContent();
    return handled;
}

void PageScroll::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    fitContent();
}

/// Arrow keys that no plot handled belong to the window.
void PageScroll::keyPressEvent(QKeyEvent* event)
{
    event->ignore();
}

/// The minimum may depend on the size that the content gets: a second round settles it.
void PageScroll::fitContent()
{
    if (m_fitting || !widget())
        return;
    const QScopedValueRollback<bool> fitting(m_fitting, true);
    for (int round = 0; round < 2; ++round)
        widget()->resize(maximumViewportSize().expandedTo(widget()->minimumSizeHint()));
    const bool tall = widget()->height() > maximumViewportSize().height();
    const bool wide = widget()->width() > maximumViewportSize().width();
    if (tall || wide) // scroll bars take some of the room
        widget()->resize(viewport()->size().expandedTo(widget()->minimumSizeHint()));
}

} // namespace headscope::ui
