#include "ui/pages/shared/fitted_scroll.h"

#include "ui/widgets/style/theme.h"

#include <QApplication>
#include <QEvent>
#include <QLayout>
#include <QResizeEvent>

#include <algorithm>

namespace headscope::ui {

FittedScroll::FittedScroll(QWidget* content, int leastHeight, QWidget* parent)
    : ColumnScroll(content, parent)
    , m_leastHeight(leastHeight)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    makeTransparent();
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* focused) {
        if (focused && widget()->isAncestorOf(focused))
            ensureWidgetVisible(focused, 0, 0);
    });
}

int FittedScroll::contentHeight() const
{
    const QLayout* layout = widget()->layout();
    const int width = viewport()->width();
    return layout->hasHeightForWidth() ? layout->totalHeightForWidth(width)
                                       : layout->totalSizeHint().height();
}

QSize FittedScroll::sizeHint() const
{
    return {widget()->layout()->totalSizeHint().width(), contentHeight()};
}

QSize FittedScroll::minimumSizeHint() const
{
    const int least = qRound(m_leastHeight * Theme::of(*this).scale());
    return {widget()->layout()->totalMinimumSize().width(), std::min(least, contentHeight())};
}

bool FittedScroll::eventFilter(QObject* watched, QEvent* event)
{
    const bool handled = QScrollArea::eventFilter(watched, event);
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        updateGeometry();
    return handled;
}

/// The height of wrapped texts follows the width.
void FittedScroll::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        updateGeometry();
}

} // namespace headscope::ui
