#include "ui/widgets/charts/distance/distance_axes.h"

#include "ui/widgets/charts/scene/chart_plot.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace headscope::ui {

namespace {

constexpr double kLeft = 48.0;  ///< Space for the numbers of the grid.
constexpr double kRight = 56.0; ///< Space for the names of the curves.
constexpr double kBottom = 44.0;
constexpr double kReadout = 28.0;
constexpr int kTicks = 5;

double largestMagnitude(const DistanceContent& content)
{
    double largest = 1e-6;
    for (const DistanceCurve& curve : content.curves)
        for (const double value : curve.values)
            if (std::isfinite(value))
                largest = std::max(largest, std::abs(value));
    return largest;
}

/// Evenly spaced where bins contain several distances, otherwise by distance.
std::vector<double> placesOf(const DistanceContent& content)
{
    const auto& bins = content.bins;
    if (bins.size() < 2)
        return std::vector<double>(bins.size(), 0.5);
    const bool isEven = content.isBinned();
    const double range = bins.back().last - bins.front().first;
    std::vector<double> places;
    for (std::size_t bin = 0; bin < bins.size(); ++bin)
        places.push_back(isEven ? static_cast<double>(bin) / static_cast<double>(bins.size() - 1)
                                : (bins[bin].first - bins.front().first) / std::max(range, 1.0));
    return places;
}

} // namespace

// both ends may be rounded outwards by a step
DistanceAxes::DistanceAxes(QRectF area, const DistanceContent& content, const Theme& theme)
    : m_mostTicks(content.isDifference ? kTicks + 1 : kTicks)
    , m_places(placesOf(content))
{
    const double scale = theme.scale();
    m_readout = {area.x(), area.y(), area.width(), kReadout * scale};
    m_plot = onPixels(
        area.adjusted(kLeft * scale, (kReadout + 8) * scale, -kRight * scale, -kBottom * scale));
    m_below = {m_plot.x(), m_plot.bottom() + 22, m_plot.width(), 20};
    const double largest = largestMagnitude(content);
    m_weights = axisAround(content.isDifference ? -largest : 0.0, largest, kTicks);
}

double DistanceAxes::x(int bin) const
{
    return m_plot.x() + place(bin) * m_plot.width();
}

double DistanceAxes::y(double weight) const
{
    return m_plot.bottom() - m_weights.place(weight) * m_plot.height();
}

std::optional<int> DistanceAxes::binAt(QPointF position) const
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
