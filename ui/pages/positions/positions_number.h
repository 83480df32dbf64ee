#pragma once

#include "ui/pages/positions/positions_content.h"
#include "ui/pages/shared/maps/shown_number.h"

namespace headscope::ui {

/// Derivation of a matrix entry, row the dimension and column the position: from the model's own
/// embeddings, or a sine or cosine. None for schemes without a matrix.
MaybeNumber positionNumber(const PositionsContent& content, const LoadedModel& model,
                           HeatmapCell entry);

} // namespace headscope::ui
