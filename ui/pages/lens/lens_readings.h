#pragma once

#include "ui/pages/lens/lens_content.h"
#include "ui/pages/shared/maps/shown_number.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/charts/lines/line_chart.h"

namespace headscope::ui {

/// The most probable tokens of one cell; for a difference, B's.
std::vector<Bar> lensBars(const LensReadout& readout, HeatmapCell cell);

/// Rank and probability of the target, entropy and KL of one cell, one line each.
QString cellText(const LensReadout& readout, HeatmapCell cell);

/// Curves through the layers at one position. x: layers passed, 0 for the embeddings.
LineChartContent probabilityChart(const LensReadout& readout, int row);
LineChartContent rankChart(const LensReadout& readout, int row);
LineChartContent entropyChart(const LensReadout& readout, int row);

/// Derivation of a cell of the logit lens; none, with the reason in `why`, for others.
MaybeNumber lensCellNumber(const LensReadout& readout, HeatmapCell cell, QString* why);

} // namespace headscope::ui
