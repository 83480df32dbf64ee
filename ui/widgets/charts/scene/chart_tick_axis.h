#pragma once

#include "ui/widgets/charts/scene/chart_plot.h"

class QCategoryAxis;
class QChart;

namespace headscope::ui {

/// One side of a chart with its numbers: an axis from 0 to 1 with custom ticks and texts. (A
/// QValueAxis only has even steps and printf formats.)
class ChartTickAxis
{
public:
    ChartTickAxis(QChart& chart, Qt::Alignment side); ///< Adds an axis that the chart owns.

    void show(const ChartTicks& ticks);

    QCategoryAxis* axis() const { return m_axis; }

private:
    void replaceTicks();

    QCategoryAxis* m_axis;
    ChartTicks m_shown;
};

} // namespace headscope::ui
