#pragma once

#include "ui/pages/causal/causal_choice.h"
#include "ui/pages/shared/figures/figure.h"
#include "ui/widgets/heatmap/heatmap_layout.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/widgets/heads/head_grid.h"
#include "ui/widgets/charts/scatter.h"
#include "ui/widgets/tables/score_table.h"

namespace headscope::ui {

/// "logit of "b" minus "n" after token 7".
QString metricWords(const Looking& looking, const GradientTarget& metric);
QString metricName(GradientTarget::Kind kind);
QString replacementName(Replacement replacement);
QString patchSiteName(PatchSite site);

/// Every head switched off in turn: as a map, against a score, and as a table.
struct SweepContent
{
    HeadGridContent grid;
    ColourBarContent legend;
    ScatterContent scatter;
    std::vector<ScoreColumn> columns;
    std::vector<ScoreRow> rows;
    std::vector<HeadIndex> order;  ///< of the rows
    std::vector<HeadIndex> points; ///< of the scatter
    double correlation = 0.0;      ///< of ranks; NaN: not defined
    QString words;

    const HeadEffect* find(HeadIndex head) const;
    std::vector<HeadEffect> effects; ///< of the shown part
};

SweepContent sweepContent(const Looking& looking, const CausalChoice& choice,
                          const AblationSweep& sweep, const HeadScoreTable& scores);

/// A map with some of its cells outlined together.
struct MarkedMap
{
    HeatmapContent map;
    std::vector<bool> marks; ///< as the cells, or empty
    ColourBarContent legend;
};

/// What is put back where, and how much of the difference that restores. Cells that a change of the
/// chosen one can reach are marked.
struct PatchContent
{
    MarkedMap shown;
    QString title;
    QString words;   ///< of the chosen cell
    QString problem; ///< not defined: why
};

PatchContent patchContent(const Looking& looking, const CausalChoice& choice,
                          const PatchGrid& grid);

/// One step of the path of a fact.
struct StepContent
{
    QString title;
    QString words;
    MarkedMap shown;
};

int stepCount(const FactPath& path);
QStringList stepTitles(const FactPath& path);
StepContent stepContent(const Looking& looking, const FactPath& path, int step);

/// Around groups of marked cells.
void paintMarks(QPainter& painter, const HeatmapLayout& layout, const std::vector<bool>& marks,
                const Theme& theme);

/// From what the page keeps in its options: nothing is computed.
Figure causalFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
