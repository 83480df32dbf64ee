#include "ui/widgets/style/focus_frame.h"

#include "ui/widgets/style/theme.h"

#include <QPainter>
#include <QWidget>

namespace headscope::ui {

void paintFocusFrame(QPainter& painter, const QWidget& widget)
{
    paintFocusFrame(painter, widget, widget.rect());
}

void paintFocusFrame(QPainter& painter, const QWidget& widget, const QRect& area)
{
    if (!widget.hasFocus())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Theme::of(widget).accent, 2.0));
    painter.drawRoundedRect(QRectF(area).adjusted(1, 1, -1, -1), 4, 4);
    painter.restore();
}

} // namespace headscope::ui
