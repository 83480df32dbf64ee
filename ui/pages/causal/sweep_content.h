#pragma once

#include "ui/pages/causal/causal_choice.h"
#include "ui/widgets/charts/points/scatter_plot.h"
#include "ui/widgets/heads/head_grid.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/widgets/tables/score_table.h"

namespace headscope::ui {

/// Every head switched off in turn: as a map, against a score, and as a table.
struct SweepContent
{
    HeadGridContent grid;
    ColourBarContent legend;
    ScatterContent scatter;
    std::vector<ScoreColumn> columns;
    std::vector<ScoreRow> rows;
    std::vector<GridCell> order;  ///< of the rows
    std::vector<GridCell> points; ///< of the scatter
    double correlation = 0.0;     ///< of ranks; NaN: not defined
    QString words;

    const HeadEffect* find(GridCell head) const;
    std::vector<HeadEffect> effects; ///< of the shown part
};

SweepContent sweepContent(const Looking& looking, const CausalChoice& choice,
                          const AblationSweep& sweep, const HeadScoreTable& scores);

} // namespace headscope::ui
