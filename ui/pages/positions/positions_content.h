#pragma once

#include "core/model/config/model_settings.h"
#include "ui/pages/positions/positions_model.h"

namespace headscope::ui {

/// True for schemes that modify scores by distance rather than add a vector to each token.
inline bool isRelative(Positions scheme)
{
    return scheme == Positions::Rope || scheme == Positions::Alibi ||
           scheme == Positions::RelativeBuckets;
}

/// Data of the positions page.
struct PositionsContent
{
    Positions scheme = Positions::Sinusoidal;
    PositionTable table;
    double base = 10000.0; ///< Base N of sinusoidal encodings.
    int position = 12;     ///< Position p.
    int offset = 5;        ///< Offset k.

    bool hasOffsetPosition() const { return position + offset < table.positions; }
};

} // namespace headscope::ui
