#pragma once

#include "ui/widgets/charts/distance/distance_curves.h"
#include "ui/widgets/style/theme.h"

#include <QPointF>
#include <QRectF>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Where the chart lies: distances across, mean weight up.
class DistanceLayout
{
public:
    DistanceLayout() = default;
    DistanceLayout(QRectF area, const DistanceContent& content, const Theme& theme);

    QRectF plot() const { return m_plot; }

    QRectF readout() const { return m_readout; }

    double low() const { return m_low; }

    double high() const { return m_high; }

    double step() const { return m_step; } ///< between two lines of the grid

    double x(int bin) const;
    double y(double value) const;
    std::optional<int> binAt(QPointF position) const;

    static constexpr double kLeft = 48.0;  ///< for the numbers of the grid, at scale 1
    static constexpr double kRight = 56.0; ///< for the names of the curves

private:
    QRectF m_plot, m_readout;
    double m_low = 0.0;
    double m_high = 1.0;
    double m_step = 0.2;
    std::vector<double> m_places; ///< 0 to 1 by bin
};

} // namespace headscope::ui
