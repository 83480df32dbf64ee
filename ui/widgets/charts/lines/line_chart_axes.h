#pragma once

#include "ui/widgets/charts/lines/line_chart_content.h"
#include "ui/widgets/style/theme.h"

#include <QRectF>

namespace headscope::ui {

/// Axes of a chart over the steps of a run. All charts with these left and right edges align
/// vertically.
class LineChartAxes
{
public:
    LineChartAxes(QRectF area, const LineChartContent& content, const Theme& theme);

    /// Distance from the area's left edge to the plot's.
    static double leftEdge(const Theme& theme);
    /// Distance from the plot's right edge to the area's.
    static double rightEdge(const Theme& theme);

    QRectF plot() const { return m_plot; } ///< Plot area, on whole pixels.

    QRectF header() const { return m_header; }

    double x(double value) const;
    double y(double value) const;

    QRectF below() const { return m_below; } ///< Area of the x axis's title.

    double valueOfX(double x) const;

private:
    QRectF m_plot, m_header, m_below;
    ChartAxis m_x, m_y;
};

} // namespace headscope::ui
