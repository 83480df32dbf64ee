#include "ui/widgets/charts/distance/distance_layout.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace headscope::ui {

namespace {

constexpr double kBottom = 44.0;
constexpr double kReadout = 28.0;

/// 1, 2 or 5 times a power of ten: at most five lines up to `range`.
double niceStep(double range)
{
    const double raw = std::max(range, 1e-9) / 5.0;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= raw * (1.0 - 1e-9))
            return factor * power;
    return 10.0 * power;
}

double largestMagnitude(const DistanceContent& content)
{
    double largest = 0.0;
    for (const DistanceCurve& curve : content.curves)
        for (const double value : curve.values)
            if (std::isfinite(value))
                largest = std::max(largest, std::abs(value));
    return largest;
}

} // namespace

DistanceLayout::DistanceLayout(QRectF area, const DistanceContent& content, const Theme& theme)
{
    const double scale = theme.scale();
    m_readout = {area.x(), area.y(), area.width(), kReadout * scale};
    m_plot =
        area.adjusted(kLeft * scale, (kReadout + 8) * scale, -kRight * scale, -kBottom * scale);
    const double largest = std::max(largestMagnitude(content), 1e-6);
    m_step = niceStep(content.isDifference ? 2.0 * largest : largest);
    m_high = std::ceil(largest / m_step - 1e-9) * m_step;
    m_low = content.isDifference ? -m_high : 0.0;
    const auto count = content.bins.size();
    const bool even = content.isBinned();
    const double first = content.bins.empty() ? 0.0 : content.bins.front().first;
    const double range = content.bins.empty() ? 1.0 : content.bins.back().last - first;
    for (std::size_t bin = 0; bin < count; ++bin) {
        const double place = even ? static_cast<double>(bin) / static_cast<double>(count - 1)
                                  : (content.bins[bin].first - first) / std::max(range, 1.0);
        m_places.push_back(count > 1 ? place : 0.5);
    }
}

double DistanceLayout::x(int bin) const
{
    return m_plot.x() + m_places[static_cast<std::size_t>(bin)] * m_plot.width();
}

double DistanceLayout::y(double value) const
{
    return m_plot.bottom() - (value - m_low) / (m_high - m_low) * m_plot.height();
}

std::optional<int> DistanceLayout::binAt(QPointF position) const
{
    if (m_places.empty() || !m_plot.adjusted(-12, -8, 12, 24).contains(position))
        return std::nullopt;
    int nearest = 0;
    for (int bin = 1; bin < static_cast<int>(m_places.size()); ++bin)
        if (std::abs(x(bin) - position.x()) < std::abs(x(nearest) - position.x()))
            nearest = bin;
    return nearest;
}

} // namespace headscope::ui
