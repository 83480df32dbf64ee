#pragma once

#include "ui/pages/shared/maps/shown_pattern.h"

namespace headscope::ui {

/// The heads of one kind of attention in a shared page: rows are queries, columns keys, as the
/// display groups and hides them.
struct SharedKind
{
    AttentionKind attention = AttentionKind::Self;
    QStringList rows;
    QStringList columns;
    std::vector<int> lengths; ///< columns stored of each row: later ones are masked in every head
    int layers = 0;
    int heads = 0;                ///< Heads of the layer with the most
    std::vector<GridCell> stored; ///< Heads in the order of their levels
    bool hasSinks = false;        ///< Whether rows have a weight on an attention sink
};

/// Patterns of the shown run, quantised. The largest level stands for a masked cell; the others
/// divide 0 to 1 evenly, or -1 to 1 where `isSigned`.
struct SharedPatterns
{
    int bits = 16; ///< Bits of a level, 16 (little endian) or 8
    bool isSigned = false;
    std::vector<SharedKind> kinds; ///< the selected one first; those without a pattern left out
    QByteArray levels;             ///< head by head, row by row, `lengths` of each
    QByteArray sinkLevels; ///< Those of sinks: head by head of kinds with them, one of each row
    int storedHeads = 0;
    int allHeads = 0;

    int maskedLevel() const { return bits == 16 ? 0xFFFF : 0xFF; }

    /// Largest difference between a stored weight and the computed one.
    double rounding() const { return (isSigned ? 1.0 : 0.5) / (maskedLevel() - 1); }

    bool isComplete() const { return storedHeads == allHeads; }
};

/// As many heads as fit into `budget` bytes, the active head first, then its layer; 8 bits a level
/// where 16 would not hold all of them. Any thread.
SharedPatterns sharedPatterns(const ViewSnapshot& view, qsizetype budget);

} // namespace headscope::ui
