#include "ui/widgets/attention/qk_layout.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kLabel = 136.0;
constexpr double kPairRow = 28.0;
constexpr double kRow = 24.0;
constexpr double kGap = 16.0;
constexpr double kNumber = 64.0;
constexpr double kBar = 96.0;
constexpr double kFormulaLine = 28.0;
constexpr double kReadout = 24.0;
constexpr double kIndices = 18.0;
constexpr double kLegend = 20.0;
constexpr double kHeading = 28.0;
constexpr double kAfterPair = 16.0;
constexpr double kSum = 96.0; ///< Width to the right of the pair's strips.

double headHeight(const QkContent&, double scale)
{
    return (3 * kPairRow + 8 + kIndices + kReadout + kLegend + kAfterPair + kHeading) * scale;
}

double footHeight(const QkContent& content, double scale)
{
    return content.formulas.empty()
               ? 0.0
               : (8.0 + kFormulaLine * static_cast<double>(content.formulas.size())) * scale;
}

} // namespace

QkLayout::QkLayout(QRectF area, const QkContent& content, const Theme& theme, double scroll)
    : m_area(area)
    , m_scroll(scroll)
    , m_scale(theme.scale())
    , m_keys(static_cast<int>(content.keys.size()))
    , m_columns(content.columns())
    , m_stages(static_cast<int>(content.stages.size()))
{
    m_label = kLabel * m_scale;
    m_rowHeight = kRow * m_scale;
    m_pairRow = kPairRow * m_scale;
    m_number = kNumber * m_scale;
    m_bar = kBar * m_scale;
    m_pairWidth = std::max(area.width() - m_label - kSum * m_scale, 32.0);
    if (m_columns > 0 && m_pairWidth >= 3.0 * m_columns)
        m_pairWidth = std::floor(std::min(m_pairWidth / m_columns, 56.0 * m_scale)) * m_columns;
    const double rest = area.width() - m_label - m_stages * m_number - m_bar - 3 * kGap;
    m_strip = std::max(rest / 2.0, 24.0);
    if (m_columns > 0 && m_strip >= m_columns)
        m_strip = std::floor(std::min(m_strip / m_columns, 16.0)) * m_columns;
    double y = area.y() + 3 * m_pairRow + (8 + kIndices) * m_scale;
    m_readout = {area.x() + m_label, y, area.width() - m_label, kReadout * m_scale};
    y = m_readout.bottom() + (kLegend + kAfterPair) * m_scale;
    m_heading = {area.x(), y, area.width(), kHeading * m_scale};
    const double foot = footHeight(content, m_scale);
    m_formulas = {area.x(), area.bottom() - foot, area.width(), foot};
    const double room = m_formulas.top() - m_heading.bottom();
    const double whole = std::max(std::floor(room / m_rowHeight), 0.0); // no key is cut in half
    m_rows = {area.x(), m_heading.bottom(), area.width(),
              m_rowHeight * std::min(whole, static_cast<double>(m_keys))};
    m_scroll = std::round(scroll / m_rowHeight) * m_rowHeight;
    m_formulas.moveTop(m_rows.bottom());
}

QRectF QkLayout::pairStrip(int strip) const
{
    const double y = m_area.y() + strip * (m_pairRow + (strip == 2 ? 2.0 : 1.0));
    return {m_area.x() + m_label, y, m_pairWidth, m_pairRow - 2.0};
}

QRectF QkLayout::pairCell(int strip, int column) const
{
    const QRectF whole = pairStrip(strip);
    const double width = whole.width() / std::max(m_columns, 1);
    return {whole.x() + column * width, whole.y(), width, whole.height()};
}

QRectF QkLayout::legend(int which) const
{
    const double width = std::min(360.0 * m_scale, (m_readout.width() - 32.0) / 2.0);
    return {m_readout.x() + which * (width + 24.0), m_readout.bottom(), width, kLegend * m_scale};
}

QRectF QkLayout::row(int key) const
{
    return {m_rows.x(), m_rows.y() + key * m_rowHeight - m_scroll, m_rows.width(), m_rowHeight};
}

QRectF QkLayout::keyStrip(int key) const
{
    const QRectF line = row(key);
    return {line.x() + m_label, line.y() + 3.0, m_strip, line.height() - 6.0};
}

QRectF QkLayout::productStrip(int key) const
{
    return keyStrip(key).translated(m_strip + kGap, 0.0);
}

double QkLayout::stageX(int stage) const
{
    return m_area.x() + m_label + 2.0 * m_strip + 2.0 * kGap - 8.0 + stage * m_number;
}

QRectF QkLayout::number(int key, int stage) const
{
    const QRectF line = row(key);
    return {stageX(stage), line.y(), m_number, line.height()};
}

QRectF QkLayout::bar(int key) const
{
    const QRectF line = row(key);
    const double x = stageX(m_stages) + 12.0;
    const double width = std::max(std::min(2.5 * m_bar, m_area.right() - x - 8.0), 8.0);
    return {x, std::round(line.center().y() - 7.0), width, 14.0};
}

std::optional<int> QkLayout::keyAt(QPointF position) const
{
    if (!m_rows.contains(position))
        return std::nullopt;
    const int key = static_cast<int>((position.y() - m_rows.y() + m_scroll) / m_rowHeight);
    return key >= 0 && key < m_keys ? std::optional(key) : std::nullopt;
}

std::optional<int> QkLayout::columnAt(QPointF position) const
{
    std::vector<QRectF> strips{pairStrip(0).united(pairStrip(2))};
    if (const auto key = keyAt(position)) {
        strips.push_back(keyStrip(*key));
        strips.push_back(productStrip(*key));
    }
    for (const QRectF& strip : strips) {
        if (!strip.contains(position) || m_columns == 0)
            continue;
        const double fraction = (position.x() - strip.x()) / strip.width();
        return std::clamp(static_cast<int>(fraction * m_columns), 0, m_columns - 1);
    }
    return std::nullopt;
}

double qkHeight(const QkContent& content, const Theme& theme)
{
    const double scale = theme.scale();
    return headHeight(content, scale) + footHeight(content, scale) +
           kRow * scale * static_cast<double>(content.keys.size());
}

} // namespace headscope::ui
