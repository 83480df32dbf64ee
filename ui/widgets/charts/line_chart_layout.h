#pragma once

#include "ui/widgets/charts/line_chart.h"
#include "ui/widgets/style/theme.h"

#include <QPointF>
#include <QRectF>

namespace headscope::ui {

/// Where a chart over the time of a run lies. Everything with this left and right edge stands under
/// each other.
class LineChartLayout
{
public:
    LineChartLayout(QRectF area, const LineChartContent& content, const Theme& theme);

    static double leftEdge(const Theme& theme);  ///< from the area's left to the plot's
    static double rightEdge(const Theme& theme); ///< from the plot's right to the area's

    QRectF plot() const { return m_plot; }

    QRectF header() const { return m_header; }

    QPointF at(QPointF point) const { return {x(point.x()), y(point.y())}; }

    double x(double value) const;
    double y(double value) const;

    QRectF below() const { return m_below; } ///< what x is

    double valueOfX(double x) const;

private:
    QRectF m_plot, m_header, m_below;
    ChartAxis m_x, m_y;
};

} // namespace headscope::ui
