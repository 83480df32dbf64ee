#pragma once

#include "ui/pages/attribution/attribution_runs.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/charts/lines/line_chart_content.h"
#include "ui/widgets/heatmap/heatmap.h"

#include <QString>

#include <vector>

namespace headscope::ui {

/// A selectable target token.
struct AttributionChoice
{
    TokenId id = -1;
    QString label; ///< Label such as "mat, 31 %".
};

/// One bar of the chart.
struct AttributionRow
{
    LogitPart part;
    QString label; ///< Label such as "head 1.3".
    double value = 0.0;
};

struct AttributionContent
{
    QString problem; ///< Why nothing is shown, one sentence; empty otherwise.
    QString target;  ///< Target text: "logit of “mat” after “the”, 5".
    std::vector<AttributionChoice> tokens; ///< The most likely tokens, and the actual next one.
    std::vector<AttributionRow> rows;
    double sum = 0.0;
    double logit = 0.0;    ///< Logit in the trace.
    bool isSigned = false; ///< Whether the values are B−A.
    HeatmapContent map;    ///< Contributions: heads and MLP down, layers across.
    /// Head of each map cell; none: the MLP.
    std::vector<std::vector<std::optional<LogitHead>>> mapHeads;
    LineChartContent course; ///< Running sum after each layer.
    LogitHead head;
    std::vector<Bar> sources;
    QString sourcesProblem;
    HeatmapContent inputs; ///< Gradient × input and integrated gradients, by token.
    QString inputsNote;    ///< Accuracy of the input attributions, or why there are none.
};

AttributionContent attributionContent(const ViewSnapshot& view, const AttributionOptions& options,
                                      const OfRuns<AttributionParts>& parts,
                                      const OfRuns<AttributionInputs>& inputs);

/// Part name: "head 1.3", "MLP 2", "b_O 0", "final norm's bias".
QString nameOf(const LogitPart& part);

/// Orders heads first within a layer, so that a head keeps its row in the map.
std::optional<HeatmapCell> cellOf(const AttributionContent& content, const LogitHead& head);

} // namespace headscope::ui
