#pragma once

#include "ui/widgets/charts/lines/line_chart_content.h"
#include "ui/widgets/style/theme.h"

#include <QPointF>
#include <QRectF>

namespace headscope::ui {

/// Where a chart over the time of a run lies. Everything with this left and right edge stands under
/// each other.
class LineChartAxes
{
public:
    LineChartAxes(QRectF area, const LineChartContent& content, const Theme& theme);

    static double leftEdge(const Theme& theme);  ///< from the area's left to the plot's
    static double rightEdge(const Theme& theme); ///< from the plot's right to the area's

    QRectF area() const { return m_area; }

    QRectF plot() const { return m_plot; } ///< whole pixels

    QRectF header() const { return m_header; }

    QPointF at(QPointF point) const { return {x(point.x()), y(point.y())}; }

    double x(double value) const;
    double y(double value) const;

    QRectF below() const { return m_below; } ///< what x is

    double valueOfX(double x) const;

private:
    QRectF m_area, m_plot, m_header, m_below;
    ChartAxis m_x, m_y;
};

} // namespace headscope::ui
