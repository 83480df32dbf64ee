#include "ui/widgets/attention/alignment_paint.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

QColor ribbonColour(const AlignmentContent& content, const AlignmentRibbon& ribbon,
                    const Theme& theme)
{
    const double size = std::min(std::abs(double{ribbon.weight}), 1.0);
    QColor colour =
        content.isSigned ? (ribbon.weight < 0.0F ? theme.less : theme.more) : theme.accent;
    const bool quiet = content.current && *content.current != ribbon.below;
    colour.setAlphaF(static_cast<float>(quiet ? 0.06 + 0.12 * size : 0.25 + 0.55 * size));
    return colour;
}

void paintTokens(QPainter& painter, const AlignmentLayout& layout, const QStringList& tokens,
                 bool isAbove, const AlignmentContent& content, const Theme& theme)
{
    for (int token = 0; token < tokens.size(); ++token) {
        const QRectF column = layout.column(token, isAbove);
        const bool isCurrent = !isAbove && content.current == token;
        if (isCurrent) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.accent);
            painter.drawRoundedRect(column.adjusted(1, 1, -1, -1), 4, 4);
        }
        painter.setFont(isCurrent ? theme.bold(TextRole::MapToken)
                                  : theme.font(TextRole::MapToken));
        painter.setPen(isCurrent ? theme.onAccent : content.stale ? theme.text3 : theme.text);
        const QFontMetricsF metrics(painter.font());
        if (column.width() < metrics.averageCharWidth())
            continue; // the map and the list name every token
        const QString text =
            metrics.horizontalAdvance(tokens[token]) <= column.width()
                ? tokens[token]
                : metrics.elidedText(tokens[token], Qt::ElideRight, column.width());
        painter.drawText(column, Qt::AlignCenter, text);
    }
}

} // namespace

void paintAlignment(QPainter& painter, const AlignmentLayout& layout,
                    const AlignmentContent& content, const Theme& theme)
{
    if (content.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (const bool isCurrent : {false, true}) { // highlighted ribbons are on top
        for (const AlignmentRibbon& ribbon : ribbonsOf(content)) {
            if ((content.current == ribbon.below) != isCurrent)
                continue;
            painter.setBrush(ribbonColour(content, ribbon, theme));
            painter.drawPath(layout.ribbon(ribbon));
        }
    }
    paintTokens(painter, layout, content.above, true, content, theme);
    paintTokens(painter, layout, content.below, false, content, theme);
    painter.restore();
}

} // namespace headscope::ui
