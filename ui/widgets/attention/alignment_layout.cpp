#include "ui/widgets/attention/alignment_layout.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kWidestPitch = 72.0;
constexpr double kText = 28.0;
constexpr double kBetween = 80.0;

} // namespace

AlignmentLayout::AlignmentLayout(QRectF area, const AlignmentContent& content, const Theme& theme)
    : m_area(area)
    , m_text(kText * theme.scale())
    , m_pitch(kWidestPitch * theme.scale())
    , m_above(static_cast<int>(content.above.size()))
    , m_below(static_cast<int>(content.below.size()))
{
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

/// Ribbon whose width at both ends is its weight, at most a column.
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

} // namespace headscope::ui
