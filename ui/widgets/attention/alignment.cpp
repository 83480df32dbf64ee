#include "ui/widgets/attention/alignment.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kWidestPitch = 72.0;
constexpr double kText = 28.0;
constexpr double kBetween = 80.0;

QString tr(const char* text)
{
    return QCoreApplication::translate("Alignment", text);
}

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

std::vector<AlignmentRibbon> ribbonsOf(const AlignmentContent& content)
{
    std::vector<AlignmentRibbon> ribbons;
    for (int below = 0; below < content.matrix.rows; ++below) {
        for (int above = 0; above < content.matrix.columns; ++above) {
            const float weight = content.matrix.at({below, above});
            if (std::abs(double{weight}) >= content.threshold)
                ribbons.push_back({below, above, weight});
        }
    }
    return ribbons;
}

QString ribbonCountWords(const AlignmentContent& content)
{
    const std::vector<AlignmentRibbon> ribbons = ribbonsOf(content);
    double drawn = 0.0;
    for (const AlignmentRibbon& ribbon : ribbons)
        drawn += std::abs(double{ribbon.weight});
    double whole = 0.0;
    for (int below = 0; below < content.matrix.rows; ++below)
        for (int above = 0; above < content.matrix.columns; ++above)
            whole += std::abs(double{content.matrix.at({below, above})});
    return tr("%1 of %2 links drawn, %3 % of the weight; those below %4 are hidden")
        .arg(count(static_cast<long long>(ribbons.size())),
             count(static_cast<long long>(content.matrix.rows) * content.matrix.columns),
             number(whole > 0.0 ? 100.0 * drawn / whole : 100.0, 0), number(content.threshold, 2));
}

AlignmentLayout::AlignmentLayout(QRectF area, const AlignmentContent& content, const Theme& theme)
    : m_area(area)
    , m_text(kText * theme.scale())
    , m_above(static_cast<int>(content.above.size()))
    , m_below(static_cast<int>(content.below.size()))
{
    m_pitch = kWidestPitch * theme.scale();
}

double AlignmentLayout::height(const Theme& theme)
{
    return (2.0 * kText + kBetween) * theme.scale();
}

double AlignmentLayout::pitch(bool isAbove) const
{
    const int tokens = isAbove ? m_above : m_below;
    return tokens > 0 ? std::min(m_pitch, m_area.width() / tokens) : 0.0;
}

double AlignmentLayout::left(bool isAbove) const
{
    const int tokens = isAbove ? m_above : m_below;
    return m_area.center().x() - pitch(isAbove) * tokens / 2.0;
}

QRectF AlignmentLayout::column(int token, bool isAbove) const
{
    const double width = pitch(isAbove);
    const double y = isAbove ? m_area.top() : m_area.bottom() - m_text;
    return {left(isAbove) + width * token, y, width, m_text};
}

std::optional<int> AlignmentLayout::belowAt(QPointF point) const
{
    const double width = pitch(false);
    if (width <= 0.0 || !m_area.contains(point) || point.y() < m_area.center().y())
        return std::nullopt;
    const double place = (point.x() - left(false)) / width;
    const int token = static_cast<int>(std::floor(place));
    return place >= 0.0 && token < m_below ? std::optional(token) : std::nullopt;
}

/// As wide at both ends as its weight, at most a column.
QPainterPath AlignmentLayout::ribbon(const AlignmentRibbon& ribbon) const
{
    const double weight = std::min(std::abs(double{ribbon.weight}), 1.0);
    const double width = std::max(0.8 * std::min(pitch(true), pitch(false)) * weight, 1.0) / 2.0;
    const double top = m_area.top() + m_text + 2.0;
    const double bottom = m_area.bottom() - m_text - 2.0;
    const double from = column(ribbon.above, true).center().x();
    const double to = column(ribbon.below, false).center().x();
    const double middle = (top + bottom) / 2.0;
    QPainterPath path(QPointF(from - width, top));
    path.cubicTo(from - width, middle, to - width, middle, to - width, bottom);
    path.lineTo(to + width, bottom);
    path.cubicTo(to + width, middle, from + width, middle, from + width, top);
    path.closeSubpath();
    return path;
}

void paintAlignment(QPainter& painter, const AlignmentLayout& layout,
                    const AlignmentContent& content, const Theme& theme)
{
    if (content.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (const bool isCurrent : {false, true}) { // what stands out lies on top
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
