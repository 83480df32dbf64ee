#pragma once

#include "core/lessons/labs/lab.h"
#include "ui/pages/shared/figures/figure.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/charts/lines/line_chart_content.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/widgets/tables/fact_table.h"

namespace headscope::ui {

/// The pictures of labs as what the widgets draw.
LineChartContent chartContent(const LabChart& chart, const Theme& theme);
std::vector<Bar> barsContent(const LabBars& bars);
BarsOptions barsOptions(const LabBars& bars);
HeatmapContent matrixContent(const LabMatrix& matrix);
HeatmapOptions matrixOptions(const LabMatrix& matrix);
ColourBarContent matrixLegend(const LabMatrix& matrix);
std::vector<FactColumn> tableColumns(const LabTable& table, const Theme& theme);
std::vector<FactRow> tableRows(const LabTable& table);

/// Every picture in words, row by row.
LabTable tableOf(const LabPicture& picture);

/// The numbers of a picture, for files; none in trees and diagrams.
std::vector<NumberTable> numbersOf(const LabPanel& panel);
NumberTable numbersOf(const std::vector<LabNumber>& numbers);

/// "10 737 418 240 B", "0.3302", "12.5 ms".
QString numberWords(const LabNumber& number);

/// "1.5e-07" in place of zeros; thousands set apart; at most `digits` significant ones of a
/// fraction.
QString shortNumber(double value, int digits = 4);

} // namespace headscope::ui
