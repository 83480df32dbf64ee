#include "ui/widgets/text/token_strip.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace headscope::ui {
namespace {

constexpr double kPadding = 8.0;
constexpr double kRadius = 4.0;

struct ChipLook
{
    QColor fill, border, text, position;
    double borderWidth = 1.0;
    bool dashed = false;
    bool bold = false;
};

/// A rectangle rounded only where the chip does not meet a joined neighbour.
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

void paintChevron(QPainter& painter, const Theme& theme, QRectF area, bool left)
{
    painter.fillRect(area, theme.window);
    const QPointF middle = area.center();
    const double reach = left ? -3.0 : 3.0;
    painter.setPen(QPen(theme.text2, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawLine(middle + QPointF(-reach, -5.0), middle + QPointF(reach, 0.0));
    painter.drawLine(middle + QPointF(reach, 0.0), middle + QPointF(-reach, 5.0));
}

} // namespace

void TokenStrip::paintChip(QPainter& painter, const Theme& theme, int index) const
{
    const TokenChip& chip = m_chips[static_cast<std::size_t>(index)];
    const bool isQuery = m_query == index;
    const bool isKey = m_key == index;
    const bool isCut = index >= m_shown;
    ChipLook look{theme.surface, theme.line, theme.text, theme.text3};
    if (m_hovered == index && !isCut)
        look.fill = theme.hover;
    if (chip.special || isCut) {
        look.dashed = true;
        look.border = theme.control;
    }
    if (m_stale || chip.masked || isCut)
        look.text = theme.text3;
    if (isKey) {
        look = {theme.keySoft, theme.key, m_stale ? theme.text3 : theme.key, theme.key, 2.0};
    }
    if (isQuery) {
        look.fill = theme.accent;
        look.text = look.position = theme.onAccent;
        if (!isKey)
            look.border = theme.accent;
    }

    const bool joined = index + 1 < static_cast<int>(m_chips.size()) &&
                        m_chips[static_cast<std::size_t>(index) + 1].joinsPrevious;
    const double inset = look.borderWidth / 2.0;
    const QRectF rect = chipRect(index).adjusted(inset, inset, joined ? 0.5 : -inset, -inset);
    QPen pen(look.border, look.borderWidth);
    if (look.dashed)
        pen.setDashPattern({3.0, 3.0});
    painter.setPen(pen);
    painter.setBrush(look.fill);
    painter.drawPath(chipPath(rect, !chip.joinsPrevious, !joined));

    const QFont caption = theme.font(TextRole::Caption);
    QFont text = theme.font(TextRole::StripToken);
    text.setStrikeOut(chip.masked);
    const QString digits = chipNote(index);
    const double digitsWidth = QFontMetricsF(caption).horizontalAdvance(digits);
    const QRectF inner = chipRect(index).adjusted(kPadding, 0, -kPadding, 0);
    const QRectF word = inner.adjusted(0, 0, -digitsWidth - 3.0, 0);
    const QFontMetricsF metrics(text);
    const double baseline = inner.center().y() + (metrics.ascent() - metrics.descent()) / 2.0;
    painter.setFont(text);
    painter.setPen(look.text);
    if (!chip.text.isEmpty())
        painter.drawText(QPointF(word.x(), baseline),
                         metrics.elidedText(chip.text, Qt::ElideMiddle, word.width()));
    painter.setFont(caption);
    painter.setPen(look.position);
    painter.drawText(QPointF(inner.right() - digitsWidth, baseline - 1.0), digits);
}

void TokenStrip::paintCutMark(QPainter& painter, const Theme& theme) const
{
    if (m_cutWidth <= 0.0)
        return;
    const QRectF area(m_cutX - m_offset + 2.0, 0, m_cutWidth, height());
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.warn);
    painter.drawText(area, Qt::AlignCenter,
                     tr("%1 of %2 shown").arg(count(m_shown), count(m_total)));
}

void TokenStrip::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    place();
    for (int index = 0; index < static_cast<int>(m_chips.size()); ++index) {
        const QRectF rect = chipRect(index);
        if (rect.right() < 0.0)
            continue;
        if (rect.left() > width())
            break;
        paintChip(painter, theme, index);
    }
    paintCutMark(painter, theme);
    if (m_offset > 0.0)
        paintChevron(painter, theme, QRectF(0, 0, 24, height()), true);
    if (contentWidth() + 4.0 - m_offset > width())
        paintChevron(painter, theme, QRectF(width() - 24, 0, 24, height()), false);
    if (hasFocus()) {
        const int shown = m_query.value_or(-1);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accent, 2.0));
        const QRectF ring = shown >= 0 ? chipRect(shown).adjusted(-2, -2, 2, 2)
                                       : QRectF(rect()).adjusted(1, 1, -1, -1);
        painter.drawRoundedRect(ring, 6, 6);
        if (shown >= 0) {
            painter.setPen(QPen(theme.window, 1.0));
            painter.drawRoundedRect(chipRect(shown).adjusted(-0.5, -0.5, 0.5, 0.5), 4, 4);
        }
    }
}

} // namespace headscope::ui
