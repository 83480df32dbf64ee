#include "ui/widgets/arcs/arcs_layout.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kHeader = 32.0;
constexpr double kSmallestPitch = 18.0;
constexpr double kLargestPitch = 44.0;
constexpr double kFigurePitch = 36.0;
constexpr double kGap = 16.0;   // between a label and its curves
constexpr double kBars = 176.0; // beside the keys
constexpr double kQueryBars = 112.0;
constexpr double kLongestLabel = 150.0;
constexpr double kLeastCurves = 200.0;

double widest(const QStringList& labels, const QFont& font)
{
    const QFontMetricsF metrics(font);
    double width = 0.0;
    for (const QString& label : labels)
        width = std::max(width, metrics.horizontalAdvance(label));
    return width;
}

TextRole roleFor(double pitch, double scale)
{
    return pitch >= 26.0 * scale   ? TextRole::ArcToken
           : pitch >= 20.0 * scale ? TextRole::MapToken
                                   : TextRole::Caption;
}

} // namespace

ArcsLayout::ArcsLayout(QRectF area, const ArcsContent& content, const Theme& theme, double scrolled)
    : m_scrolled(scrolled)
    , m_queries(static_cast<int>(content.queries.size()))
    , m_keys(static_cast<int>(content.keys.size()))
    , m_most(std::max({m_queries, m_keys, 1}))
{
    const double scale = theme.scale();
    m_header = QRectF(area.x(), area.y(), area.width(), kHeader * scale);
    m_rows = QRectF(area.x(), m_header.bottom(), area.width(),
                    std::max(1.0, area.bottom() - m_header.bottom()));
    m_pitch = std::clamp(std::floor(m_rows.height() / m_most), kSmallestPitch * scale,
                         kLargestPitch * scale);
    m_role = roleFor(m_pitch, scale);
    const QFont font = theme.bold(m_role); // marked tokens are bold
    const double longest = kLongestLabel * scale;
    const double smallest = QFontMetricsF(theme.bold(TextRole::Body)).horizontalAdvance("query");
    const double queryLabels =
        std::clamp(widest(content.queries, font) + 4.0, smallest + 8.0, longest);
    const double keyLabels = std::clamp(widest(content.keys, font) + 4.0, smallest + 8.0, longest);
    // In a narrow area the bars shrink before the curves do.
    const double fixed = queryLabels + keyLabels + 4.0 * kGap;
    const double spare = area.width() - fixed - kLeastCurves;
    const double fraction = std::clamp(spare / ((kBars + kQueryBars) * scale), 0.3, 1.0);
    const double barsWidth = kBars * scale * fraction;
    const double queryBars = kQueryBars * scale * fraction;
    m_queryBars = QRectF(area.x(), m_rows.y(), queryBars, m_rows.height());
    m_queryLabels = QRectF(m_queryBars.right() + kGap, m_rows.y(), queryLabels, m_rows.height());
    m_keyBars = QRectF(area.right() - barsWidth, m_rows.y(), barsWidth, m_rows.height());
    m_keyLabels = QRectF(m_keyBars.x() - 2.0 * kGap - keyLabels + kGap, m_rows.y(), keyLabels,
                         m_rows.height());
    m_left = std::round(m_queryLabels.right() + kGap);
    m_right = std::max(m_left + 16.0, std::round(m_keyLabels.left() - kGap));
}

double ArcsLayout::y(ArcEnd end) const
{
    return m_rows.y() - m_scrolled + (end.index + 0.5) * m_pitch;
}

QRectF ArcsLayout::row(ArcEnd end) const
{
    const double top = y(end) - m_pitch / 2.0;
    if (end.side == ArcSide::Query)
        return {m_rows.left(), top, m_left - m_rows.left(), m_pitch};
    return {m_right, top, m_rows.right() - m_right, m_pitch};
}

QRectF ArcsLayout::labelRect(ArcEnd end) const
{
    const QRectF& column = end.side == ArcSide::Query ? m_queryLabels : m_keyLabels;
    return {column.x(), y(end) - m_pitch / 2.0, column.width(), m_pitch};
}

std::optional<ArcEnd> ArcsLayout::endAt(QPointF position) const
{
    if (!m_rows.contains(position))
        return std::nullopt;
    const auto index =
        static_cast<int>(std::floor((position.y() - m_rows.y() + m_scrolled) / m_pitch));
    if (index < 0)
        return std::nullopt;
    if (position.x() < m_left && index < m_queries)
        return ArcEnd{ArcSide::Query, index};
    if (position.x() > m_right && index < m_keys)
        return ArcEnd{ArcSide::Key, index};
    return std::nullopt;
}

double ArcsLayout::wantedHeight(const ArcsContent& content, const Theme& theme)
{
    const auto most = std::max(content.queries.size(), content.keys.size());
    return (kHeader + kFigurePitch * static_cast<double>(std::max<qsizetype>(most, 1))) *
           theme.scale();
}

} // namespace headscope::ui
