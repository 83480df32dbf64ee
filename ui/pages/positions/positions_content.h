#pragma once

#include "ui/pages/positions/positions_model.h"

namespace headscope::ui {

enum class PositionScheme { Sinusoidal, Learned, Rope, Alibi, Buckets, None };

/// What changes scores by the distance instead of adding a vector to each token.
inline bool isRelative(PositionScheme scheme)
{
    return scheme == PositionScheme::Rope || scheme == PositionScheme::Alibi ||
           scheme == PositionScheme::Buckets;
}

/// Everything that the positions page draws.
struct PositionsContent
{
    PositionScheme scheme = PositionScheme::Sinusoidal;
    PositionTable table;
    double base = 10000.0; ///< N of a sinusoidal table
    int position = 12;     ///< p
    int offset = 5;        ///< k

    bool hasOffsetPosition() const { return position + offset < table.positions; }
};

} // namespace headscope::ui
