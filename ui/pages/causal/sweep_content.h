#pragma once

#include "ui/pages/causal/causal_choice.h"
#include "ui/widgets/charts/points/scatter_plot.h"
#include "ui/widgets/heads/head_grid.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/widgets/tables/score_table.h"

namespace headscope::ui {

/// Results of ablating every head in turn: a map, a scatter plot against a score, and a table.
struct SweepContent
{
    HeadGridContent grid;
    ColourBarContent legend;
    ScatterContent scatter;
    std::vector<ScoreColumn> columns;
    std::vector<ScoreRow> rows;
    std::vector<GridCell> order;  ///< Heads in the order of the table's rows.
    std::vector<GridCell> points; ///< Heads of the scatter plot's points.
    double correlation = 0.0;     ///< Rank correlation; NaN: not defined.
    QString words;

    const HeadEffect* find(GridCell head) const;
    std::vector<HeadEffect> effects; ///< Effects of the shown part.
};

SweepContent sweepContent(const ViewSnapshot& view, const CausalChoice& choice,
                          const AblationSweep& sweep, const HeadScoreTable& scores);

} // namespace headscope::ui
