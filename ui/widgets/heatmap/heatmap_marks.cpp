#include "ui/widgets/heatmap/heatmap_marks.h"

#include <QFontMetricsF>

#include <algorithm>

#include <cmath>

namespace headscope::ui {

void fillFrame(QPainter& painter, const QRectF& rect, double thickness, const QColor& colour)
{
    painter.fillRect(QRectF(rect.x(), rect.y(), rect.width(), thickness), colour);
    painter.fillRect(QRectF(rect.x(), rect.bottom() - thickness, rect.width(), thickness), colour);
    const double inner = rect.height() - 2.0 * thickness;
    painter.fillRect(QRectF(rect.x(), rect.y() + thickness, thickness, inner), colour);
    painter.fillRect(QRectF(rect.right() - thickness, rect.y() + thickness, thickness, inner),
                     colour);
}

void paintCellRing(QPainter& painter, const QRectF& cell, const Theme& theme)
{
    const double grow = std::min(cell.width(), cell.height()) < 16.0 ? 4.0 : 2.0;
    const QRectF outer = cell.adjusted(-grow, -grow, grow, grow);
    fillFrame(painter, outer, 2.0, theme.text);
    fillFrame(painter, outer.adjusted(2, 2, -2, -2), 2.0, theme.surface);
}

std::optional<QFont> cellNumberFont(const QString& text, const QSizeF& cell, const Theme& theme)
{
    const double edge = std::min(cell.width(), cell.height());
    for (const TextRole role : {TextRole::Body, TextRole::Caption}) {
        const QFont font = theme.font(role);
        const bool isTooTall = role == TextRole::Body && edge < 34.0;
        if (!isTooTall && QFontMetricsF(font).horizontalAdvance(text) + 2.0 <= cell.width())
            return font;
    }
    return std::nullopt;
}

void drawArrow(QPainter& painter, QPointF from, QPointF to)
{
    const QPointF along = (to - from) / std::hypot(to.x() - from.x(), to.y() - from.y());
    const QPointF across(-along.y(), along.x());
    painter.drawLine(from, to);
    painter.drawLine(to, to - 4.0 * along + 4.0 * across);
    painter.drawLine(to, to - 4.0 * along - 4.0 * across);
}

} // namespace headscope::ui
