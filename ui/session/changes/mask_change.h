#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace headscope::ui {

/// Attention mask of B.
struct MaskChange
{
    enum class Kind { AsTrained, Causal, None, Window, Painted };

    Kind kind = Kind::AsTrained;
    int window = 4;                  ///< Window: number of tokens, including the query's own.
    std::vector<std::uint8_t> cells; ///< Painted: [side, side], 1 = may attend.
    int side = 0;                    ///< Painted: number of tokens when it was painted.

    bool changesTheModel() const { return kind != Kind::AsTrained; }

    /// Painted: whether the base mask is causal or empty, inferred from the cells above the
    /// diagonal, few of which are painted by hand.
    bool isOnCausal() const;
    int paintedCells() const; ///< Painted: number of cells that differ from the base mask.

    /// Description: "causal mask", "no mask", "window of 4 tokens", "11 cells painted".
    QString describe() const;

    friend bool operator==(const MaskChange&, const MaskChange&) = default;
};

} // namespace headscope::ui
