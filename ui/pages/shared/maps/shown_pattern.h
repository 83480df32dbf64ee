#pragma once

#include "ui/session/view_snapshot.h"
#include "ui/widgets/heatmap/heatmap.h"

#include <vector>

namespace headscope::ui {

/// One head as every view shows it: A, B or B−A, with words grouped and special tokens hidden as
/// the display options say.
struct ShownPattern
{
    HeatmapMatrix matrix; ///< Values [rows, columns]; empty without such a head.
    HeatmapMask mask;     ///< Mask of the shown rows and columns.
    QStringList rowLabels;
    QStringList columnLabels;
    std::vector<std::vector<int>> rowTokens; ///< Tokens of each row, ascending.
    std::vector<std::vector<int>> columnTokens;
    /// Turn of the chat that each row and column is from, see Token::turn; empty: no chat.
    std::vector<int> rowTurns;
    std::vector<int> columnTurns;
    bool isSigned = false;     ///< Whether it is a difference.
    bool hidesTokens = false;  ///< Whether tokens are hidden.
    bool renormalised = false; ///< Whether rows are renormalised for them; else they sum to less.
    double hiddenMass = 0.0;   ///< Fraction of the attention hidden with them, of A or B.
    /// Weight of each row on the head's attention sink, see SinkWeights; empty without one and
    /// where rows are renormalised over the shown keys.
    std::vector<float> sink;
    /// Fully masked rows that keep too little attention, see faintRows().
    std::vector<int> faintRows;

    int rowOf(int token) const; ///< Row of a token; -1 when the token is not shown.
    int columnOf(int token) const;
    bool isFaint(int row) const;
};

/// Group that a token belongs to; -1 for a hidden one.
int groupOf(const std::vector<std::vector<int>>& groups, int token);

ShownPattern shownPattern(const ViewSnapshot& view, GridCell head);

/// True when rows are renormalised for hidden keys: for special tokens and the first token, never
/// for what a chat's template wrote alone.
bool renormalises(const TokenDisplay& display, const TokenSequence& keys);

/// Same for a given variant, for pages that show several at once.
ShownPattern shownPattern(const ViewSnapshot& view, Variant variant, GridCell head);

/// Displayed texts of tokens, as labels.
QStringList labelsOf(const TokenSequence& tokens, const LoadedModel& model);
QString labelOf(TokenId id, const LoadedModel& model);

/// Title of the active head: "Layer 2 · Head 3", "Encoder layer 0 · Head 1".
QString headTitle(const Selection& selection);

} // namespace headscope::ui
