#pragma once

#include "ui/widgets/charts/scene/chart_plot.h"

#include <vector>

class QAbstractAxis;
class QChart;
class QLineSeries;

namespace headscope::ui {

/// Lines of a chart, one series each. Points are replaced as a whole, and only if changed, because
/// appending to a series rebuilds its geometry for each point.
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
    /// Series owned by the chart; those without a line are empty.
    std::vector<QLineSeries*> m_series;
};

} // namespace headscope::ui
