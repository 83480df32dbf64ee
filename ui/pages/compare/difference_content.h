#pragma once

#include "core/analysis/difference/model_difference.h"
#include "ui/pages/shared/figures/figure.h"
#include "ui/widgets/tables/score_table.h"

#include <memory>

namespace headscope::ui {

using WeightDifferencePtr = std::shared_ptr<const WeightDifference>;

/// How far B has moved from A, for one view.
struct Differences
{
    TraceDifference traces;
    WeightDifferencePtr weights; ///< Null while they are compared, and where A and B are one model.
};

// Columns and rows of the tables, a row for each head, token and matrix in the order of the model.
std::vector<ScoreColumn> headDifferenceColumns();
std::vector<ScoreColumn> tokenDifferenceColumns();
std::vector<ScoreColumn> matrixDifferenceColumns();
std::vector<ScoreRow> headDifferenceRows(const TraceDifference& difference);
std::vector<ScoreRow> tokenDifferenceRows(const TraceDifference& difference,
                                          const ViewSnapshot& view);
std::vector<ScoreRow> matrixDifferenceRows(const WeightDifference& difference);

// What a table measures, or why it is empty.
QString headDifferenceNote(const TraceDifference& difference);
QString tokenDifferenceNote(const TraceDifference& difference);
QString matrixDifferenceNote(const WeightDifference& difference);

/// Compares the traces and the weights of a view at once.
Differences differencesOf(const ViewSnapshot& view);

/// The heads, tokens and matrices that moved most, as bars; all of them as data.
Figure differenceFigure(const ViewSnapshot& view, const Differences& differences);

} // namespace headscope::ui
