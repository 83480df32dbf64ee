#pragma once

#include "ui/pages/shared/maps/shown_pattern.h"

namespace headscope::ui {

/// The selected pair as the maps show it: one cell of A or B, of one token or word each way.
struct ShownPair
{
    ShownPattern pattern;
    HeatmapCell cell;

    bool isShown() const; ///< False where the trace has no such cell.

    double weight() const { return pattern.matrix.at(cell); } ///< Requires isShown().

    std::vector<int> queries() const; ///< Tokens of the cell's row; empty unless isShown().
    std::vector<int> keys() const;    ///< Tokens of the cell's column; empty unless isShown().

    /// True when the weight is not that of one pair of tokens as the model computed it.
    bool isMerged() const;

    std::vector<int> strongestColumns() const; ///< Columns by descending weight in the cell's row.
};

/// Token by token where the display hides the pair.
ShownPair shownPair(const ViewSnapshot& view, const TokenPair& pair);

} // namespace headscope::ui
