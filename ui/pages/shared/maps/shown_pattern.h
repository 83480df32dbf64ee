#pragma once

#include "ui/session/looking.h"
#include "ui/widgets/heatmap/heatmap.h"

#include <vector>

namespace headscope::ui {

/// One head as every view shows it: A, B or B - A, with words grouped and special tokens hidden as
/// the display asks.
struct ShownPattern
{
    HeatmapMatrix matrix; ///< [rows, columns]; empty without such a head
    HeatmapMask mask;     ///< of the shown rows and columns
    QStringList rowLabels;
    QStringList columnLabels;
    std::vector<std::vector<int>> rowTokens; ///< the tokens that each row stands for, rising
    std::vector<std::vector<int>> columnTokens;
    bool isSigned = false;      ///< a difference
    bool renormalised = false;  ///< tokens are hidden, and rows divided by what is left
    double hiddenMass = 0.0;    ///< share of the attention left out with them, of A or B
    std::vector<int> faintRows; ///< masked throughout: too little of them is left, see faintRows()

    int rowOf(int token) const; ///< -1 when the token is not shown
    int columnOf(int token) const;
    bool isFaint(int row) const;
};

ShownPattern shownPattern(const Looking& looking, GridCell head);

/// The same of a given run, for pages that show several at once.
ShownPattern shownPattern(const Looking& looking, Variant variant, GridCell head);

/// Readable tokens as labels.
QStringList labelsOf(const TokenSequence& tokens, const LoadedModel& model);
QString labelOf(TokenId id, const LoadedModel& model);

/// The active head's name as titles say it: "Layer 2 · Head 3", "Encoder layer 0 · Head 1".
QString headTitle(const Selection& selection);

} // namespace headscope::ui
