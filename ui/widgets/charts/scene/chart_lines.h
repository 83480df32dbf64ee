#pragma once

#include "ui/widgets/charts/scene/chart_plot.h"

#include <vector>

class QAbstractAxis;
class QChart;
class QLineSeries;

namespace headscope::ui {

/// The lines of a chart, a series each. Points are replaced as a whole, and only where they
/// changed: a series to which points are appended builds its geometry anew for each of them.
class ChartLines
{
public:
    ChartLines(QChart& chart, QAbstractAxis* x, QAbstractAxis* y);

    void show(const std::vector<ChartLine>& lines);

private:
    QLineSeries* at(std::size_t index);

    QChart& m_chart;
    QAbstractAxis* m_x;
    QAbstractAxis* m_y;
    std::vector<QLineSeries*> m_series; ///< the chart's; those beyond the lines are empty
};

} // namespace headscope::ui
