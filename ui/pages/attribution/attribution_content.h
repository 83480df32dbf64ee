#pragma once

#include "ui/pages/attribution/attribution_runs.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/charts/lines/line_chart_content.h"
#include "ui/widgets/heatmap/heatmap.h"

#include <QString>

#include <vector>

namespace headscope::ui {

/// A token that may be chosen.
struct AttributionChoice
{
    TokenId id = -1;
    QString label; ///< "mat, 31 %"
};

/// One bar.
struct AttributionRow
{
    LogitPart part;
    QString label; ///< "head 1.3"
    double value = 0.0;
};

struct AttributionContent
{
    QString problem;                       ///< why there is nothing: one sentence
    QString target;                        ///< "logit of “mat” after “the”, 5"
    std::vector<AttributionChoice> tokens; ///< the likeliest, and the one that really follows
    std::vector<AttributionRow> rows;
    double sum = 0.0;
    double logit = 0.0;    ///< the trace's
    bool isSigned = false; ///< B−A
    HeatmapContent map;    ///< heads and MLP down, layers across
    std::vector<std::vector<std::optional<LogitHead>>> mapHeads; ///< of its cells; none: the MLP
    LineChartContent course; ///< the sum so far, after each layer
    LogitHead head;
    std::vector<Bar> sources;
    QString sourcesProblem;
    HeatmapContent inputs; ///< gradient times input, and integrated gradients, over the tokens
    QString inputsNote;    ///< how exact, or why not
};

AttributionContent attributionContent(const Looking& looking, const AttributionOptions& options,
                                      const OfRuns<AttributionParts>& parts,
                                      const OfRuns<AttributionInputs>& inputs);

QString nameOf(const LogitPart& part); ///< "head 1.3", "MLP 2", "b_O 0", "final norm's bias"

/// Heads first by layer, so that the map's row of a head is found again.
std::optional<HeatmapCell> cellOf(const AttributionContent& content, const LogitHead& head);

} // namespace headscope::ui
