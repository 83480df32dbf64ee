#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace headscope::ui {

/// The mask of B, as a person says it.
struct MaskChange
{
    enum class Kind { AsTrained, Causal, None, Window, Painted };

    Kind kind = Kind::AsTrained;
    int window = 4;                  ///< Window: tokens, the query's own included
    std::vector<std::uint8_t> cells; ///< Painted: [side, side], 1 = may attend
    int side = 0;                    ///< Painted: tokens that it was painted on

    bool changesTheModel() const { return kind != Kind::AsTrained; }

    /// Painted: the cells lie on a causal mask; otherwise on none. Told from those above the
    /// diagonal: a hand paints few of them.
    bool isOnCausal() const;
    bool paints(int query, int key) const; ///< Painted: this cell differs from that mask
    int paintedCells() const;              ///< how many do

    /// "causal mask", "no mask", "window of 4 tokens", "11 cells painted".
    QString describe() const;

    friend bool operator==(const MaskChange&, const MaskChange&) = default;
};

} // namespace headscope::ui
