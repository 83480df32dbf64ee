#include "ui/pages/shared/column_scroll.h"

namespace headscope::ui {

ColumnScroll::ColumnScroll(QWidget* content, QWidget* parent) : QScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidget(content);
    setWidgetResizable(true);
}

void ColumnScroll::makeTransparent()
{
    viewport()->setAutoFillBackground(false);
    widget()->setAutoFillBackground(false); // after setWidget(), which turns it on
}

ColumnScroll* transparentScroll(QWidget* content, QWidget* parent)
{
    auto* scroll = new ColumnScroll(content, parent);
    scroll->makeTransparent();
    return scroll;
}

} // namespace headscope::ui
