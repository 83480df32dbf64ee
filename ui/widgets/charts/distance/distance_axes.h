#pragma once

#include "ui/widgets/charts/distance/distance_curves.h"
#include "ui/widgets/charts/scene/chart_axis.h"
#include "ui/widgets/style/theme.h"

#include <QPointF>
#include <QRectF>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Axes of a chart by distance: bins across, mean weight up.
class DistanceAxes
{
public:
    DistanceAxes(QRectF area, const DistanceContent& content, const Theme& theme);

    QRectF plot() const { return m_plot; } ///< Plot area, on whole pixels.

    QRectF readout() const { return m_readout; }

    QRectF below() const { return m_below; } ///< Area of the title below the distances.

    const ChartAxis& weights() const { return m_weights; }

    int mostTicks() const { return m_mostTicks; } ///< Maximum number of ticks of the weights.

    /// Position of a bin, 0 to 1.
    double place(int bin) const { return m_places[static_cast<std::size_t>(bin)]; }

    double x(int bin) const;
    double y(double weight) const;
    std::optional<int> binAt(QPointF position) const;

private:
    QRectF m_plot, m_readout, m_below;
    ChartAxis m_weights;
    int m_mostTicks;
    std::vector<double> m_places; ///< Position of each bin.
};

} // namespace headscope::ui
