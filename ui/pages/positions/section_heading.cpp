#include "ui/pages/positions/section_heading.h"

#include <QFontMetricsF>
#include <QPainter>

namespace headscope::ui {

double paintSectionHeading(QPainter& painter, QPointF topLeft, const QString& title,
                           const QString& rest, const Theme& theme)
{
    const QFont strong = theme.font(TextRole::Heading);
    const QFontMetricsF metrics(strong);
    const double baseline = topLeft.y() + metrics.ascent();
    painter.setFont(strong);
    painter.setPen(theme.text);
    painter.drawText(QPointF(topLeft.x(), baseline), title);
    const double x = topLeft.x() + metrics.horizontalAdvance(title) + 12.0;
    painter.setFont(theme.font(TextRole::Table));
    painter.setPen(theme.text3);
    painter.drawText(QPointF(x, baseline), rest);
    return x + QFontMetricsF(painter.font()).horizontalAdvance(rest);
}

} // namespace headscope::ui
