#pragma once

#include "ui/widgets/charts/scene/chart_plot.h"

class QCategoryAxis;
class QChart;

namespace headscope::ui {

/// One side of a chart with its numbers: an axis from 0 to 1 whose ticks and texts are ours. (A
/// QValueAxis has even steps and printf's numbers.)
class ChartTickAxis
{
public:
    ChartTickAxis(QChart& chart, Qt::Alignment side); ///< the chart owns the axis

    void show(const ChartTicks& ticks);

    QCategoryAxis* axis() const { return m_axis; }

private:
    void replaceTicks();

    QCategoryAxis* m_axis;
    ChartTicks m_shown;
};

} // namespace headscope::ui
