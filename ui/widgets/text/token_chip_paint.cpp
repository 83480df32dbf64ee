#include "ui/widgets/text/token_chip_paint.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

namespace headscope::ui {
namespace {

constexpr double kPadding = 8.0;
constexpr double kRadius = 4.0;

struct ChipStyle
{
    QColor fill, border, text, note;
    double borderWidth = 1.0;
    bool dashed = false;
};

/// Outline of a chip, rounded except where it meets a joined neighbour.
QPainterPath chipPath(const QRectF& rect, bool roundLeft, bool roundRight)
{
    QPainterPath path;
    path.setFillRule(Qt::WindingFill);
    path.addRoundedRect(rect, kRadius, kRadius);
    if (!roundLeft)
        path.addRect(QRectF(rect.x(), rect.y(), kRadius, rect.height()));
    if (!roundRight)
        path.addRect(QRectF(rect.right() - kRadius, rect.y(), kRadius, rect.height()));
    return path.simplified();
}

ChipStyle styleOf(const TokenChip& chip, const TokenChipState& state, const Theme& theme)
{
    ChipStyle look{theme.surface, theme.line, theme.text, theme.text3};
    if (state.isHovered && !state.isUnseen)
        look.fill = theme.hover;
    if (chip.special || state.isUnseen) {
        look.dashed = true;
        look.border = theme.control;
    }
    if (state.isStale || chip.masked || state.isUnseen || chip.isOfTemplate())
        look.text = theme.text3;
    if (chip.isOfTemplate() && !state.isHovered)
        look.fill = theme.window;
    if (state.isKey)
        look = {theme.keySoft, theme.key, state.isStale ? theme.text3 : theme.key, theme.key, 2.0};
    if (state.isQuery) {
        look.fill = theme.accent;
        look.text = look.note = theme.onAccent;
        if (!state.isKey)
            look.border = theme.accent;
    }
    return look;
}

void paintFrame(QPainter& painter, const QRectF& place, const ChipStyle& look, bool joinsPrevious,
                bool joinsNext)
{
    const double inset = look.borderWidth / 2.0;
    const QRectF rect = place.adjusted(inset, inset, joinsNext ? 0.5 : -inset, -inset);
    QPen pen(look.border, look.borderWidth);
    if (look.dashed)
        pen.setDashPattern({3.0, 3.0});
    painter.setPen(pen);
    painter.setBrush(look.fill);
    painter.drawPath(chipPath(rect, !joinsPrevious, !joinsNext));
}

void paintTexts(QPainter& painter, const QRectF& inner, const TokenChip& chip, const QString& note,
                const ChipStyle& look, const Theme& theme)
{
    const QFont caption = theme.font(TextRole::Caption);
    QFont text = theme.font(TextRole::StripToken);
    text.setStrikeOut(chip.masked);
    const double noteWidth = QFontMetricsF(caption).horizontalAdvance(note);
    const QRectF word = inner.adjusted(0, 0, -noteWidth - 3.0, 0);
    const QFontMetricsF metrics(text);
    const double baseline = inner.center().y() + (metrics.ascent() - metrics.descent()) / 2.0;
    painter.setFont(text);
    painter.setPen(look.text);
    if (!chip.text.isEmpty())
        painter.drawText(QPointF(word.x(), baseline),
                         metrics.elidedText(chip.text, Qt::ElideMiddle, word.width()));
    painter.setFont(caption);
    painter.setPen(look.note);
    painter.drawText(QPointF(inner.right() - noteWidth, baseline - 1.0), note);
}

} // namespace

void paintTokenChip(QPainter& painter, const QRectF& place, const TokenChip& chip,
                    const QString& note, const TokenChipState& state, const Theme& theme)
{
    const ChipStyle look = styleOf(chip, state, theme);
    if (note.isEmpty()) { // folded
        painter.setPen(Qt::NoPen);
        painter.setBrush(state.isQuery ? theme.accent : state.isKey ? theme.key : theme.line2);
        painter.drawRoundedRect(place.adjusted(0, 6, 0, -6), 2.0, 2.0);
        return;
    }
    paintFrame(painter, place, look, chip.joinsPrevious, state.joinsNext);
    paintTexts(painter, place.adjusted(kPadding, 0, -kPadding, 0), chip, note, look, theme);
}

} // namespace headscope::ui
