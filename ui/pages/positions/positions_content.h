#pragma once

#include "core/model/config/model_settings.h"
#include "ui/pages/positions/positions_model.h"

namespace headscope::ui {

/// What changes scores by the distance instead of adding a vector to each token.
inline bool isRelative(Positions scheme)
{
    return scheme == Positions::Rope || scheme == Positions::Alibi ||
           scheme == Positions::RelativeBuckets;
}

/// Everything that the positions page draws.
struct PositionsContent
{
    Positions scheme = Positions::Sinusoidal;
    PositionTable table;
    double base = 10000.0; ///< N of a sinusoidal table
    int position = 12;     ///< p
    int offset = 5;        ///< k

    bool hasOffsetPosition() const { return position + offset < table.positions; }
};

} // namespace headscope::ui
