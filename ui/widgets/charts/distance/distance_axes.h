#pragma once

#include "ui/widgets/charts/distance/distance_curves.h"
#include "ui/widgets/charts/scene/chart_axis.h"
#include "ui/widgets/style/theme.h"

#include <QPointF>
#include <QRectF>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Where a chart over distances lies: bins across, mean weight up.
class DistanceAxes
{
public:
    DistanceAxes(QRectF area, const DistanceContent& content, const Theme& theme);

    QRectF plot() const { return m_plot; } ///< whole pixels

    QRectF readout() const { return m_readout; }

    QRectF below() const { return m_below; } ///< what the distances are

    const ChartAxis& weights() const { return m_weights; }

    int mostTicks() const { return m_mostTicks; } ///< of the weights

    double place(int bin) const { return m_places[static_cast<std::size_t>(bin)]; } ///< 0 to 1

    double x(int bin) const;
    double y(double weight) const;
    std::optional<int> binAt(QPointF position) const;

private:
    QRectF m_plot, m_readout, m_below;
    ChartAxis m_weights;
    int m_mostTicks;
    std::vector<double> m_places; ///< by bin
};

} // namespace headscope::ui
