#pragma once

#include "ui/widgets/charts/line_chart_layout.h"

class QPainter;

namespace headscope::ui {

/// On screen, in SVG and PDF alike.
void paintLineChart(QPainter& painter, const LineChartLayout& layout,
                    const LineChartContent& content, const Theme& theme);

} // namespace headscope::ui
