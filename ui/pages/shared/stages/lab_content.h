#pragma once

#include "core/lessons/labs/lab.h"
#include "ui/pages/shared/figures/figure.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/charts/lines/line_chart_content.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/widgets/tables/fact_table.h"

namespace headscope::ui {

/// Figures of labs as content of the drawing widgets.
LineChartContent chartContent(const LabChart& chart, const Theme& theme);
std::vector<Bar> barsContent(const LabBars& bars);
BarsOptions barsOptions(const LabBars& bars);
HeatmapContent matrixContent(const LabMatrix& matrix);
HeatmapOptions matrixOptions(const LabMatrix& matrix);
ColourBarContent matrixLegend(const LabMatrix& matrix);
std::vector<FactColumn> tableColumns(const LabTable& table, const Theme& theme);
std::vector<FactRow> tableRows(const LabTable& table);

/// Text of every figure, row by row.
LabTable tableOf(const LabPlot& plot);

/// Numbers of a figure, for files; none for trees and diagrams.
std::vector<NumberTable> numbersOf(const LabPanel& panel);
NumberTable numbersOf(const std::vector<LabNumber>& numbers);

/// Number text with unit: "10 737 418 240 B", "0.3302", "12.5 ms".
QString numberText(const LabNumber& number);

/// Number text: "1.5e-07" in place of zeros; grouped thousands; at most `digits` significant digits
/// of a fraction.
QString shortNumber(double value, int digits = 4);

} // namespace headscope::ui
