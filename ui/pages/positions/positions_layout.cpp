#include "ui/pages/positions/positions_layout.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kLeftAxis = 48.0;
constexpr double kRightLabels = 74.0; // Width of a label such as "dim 510" beside its square.
constexpr double kHeading = 26.0;
constexpr double kOverhang = 16.0;

} // namespace

PositionsLayout::PositionsLayout(QRectF area, const PositionsContent& content, const Theme& theme,
                                 double pixelRatio)
    : m_area(area)
    , m_positions(content.table.positions)
    , m_pixelRatio(pixelRatio)
{
    const double scale = theme.scale();
    const double axis = 42.0 * scale;
    const double fixed = 3.0 * kHeading * scale + axis + 2.0 * kOverhang + 24.0;
    const double free = std::max(60.0, area.height() - fixed);
    const auto pixel = [pixelRatio](double value) {
        return std::round(value * pixelRatio) / pixelRatio;
    };

    const double width = area.width() - kLeftAxis - kRightLabels * scale;
    const double column = width / std::max(m_positions, 1);
    m_columnWidth =
        column * pixelRatio >= 1.0 ? std::floor(column * pixelRatio) / pixelRatio : column;
    const double x = pixel(area.x() + kLeftAxis);
    const double used = m_columnWidth * m_positions;

    m_headings[0] = area.y();
    m_waves = QRectF(x, pixel(area.y() + kHeading * scale + kOverhang), used, pixel(free * 0.34));
    m_headings[1] = pixel(m_waves.bottom() + kOverhang + 8.0);
    const double top = pixel(m_headings[1] + kHeading * scale);
    const bool split = content.scheme == Positions::Sinusoidal;
    const int rows = std::max(1, split ? content.table.dimensions / 2 : content.table.dimensions);
    const double wanted = free * (split ? 0.245 : 0.49);
    const double row = wanted * pixelRatio / rows;
    const double height = row >= 1.0 ? std::floor(row) * rows / pixelRatio : pixel(wanted);
    m_upper = QRectF(x, top, used, height);
    if (split)
        m_lower = QRectF(x, pixel(m_upper.bottom() + 4.0), used, height);
    const double tableBottom = split ? m_lower.bottom() : m_upper.bottom();
    m_headings[2] = pixel(tableBottom + axis);
    const double bars = pixel(m_headings[2] + kHeading * scale + 6.0);
    m_similarity = QRectF(x, bars, used, std::max(24.0, pixel(area.bottom() - 10.0 - bars)));
}

QRectF PositionsLayout::column(int position) const
{
    const double bottom = m_lower.isEmpty() ? m_upper.bottom() : m_lower.bottom();
    return {m_upper.x() + position * m_columnWidth, m_upper.y(), m_columnWidth,
            bottom - m_upper.y()};
}

double PositionsLayout::columnCentre(double position) const
{
    return m_upper.x() + (position + 0.5) * m_columnWidth;
}

std::optional<int> PositionsLayout::positionAt(double x) const
{
    if (m_positions == 0 || x < m_upper.x() - 12.0 || x > m_upper.right() + 12.0)
        return std::nullopt;
    return std::clamp(static_cast<int>(std::floor((x - m_upper.x()) / m_columnWidth + 1e-6)), 0,
                      m_positions - 1);
}

} // namespace headscope::ui
