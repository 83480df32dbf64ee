#pragma once

#include "ui/pages/positions/positions_content.h"
#include "ui/pages/shared/maps/shown_number.h"

namespace headscope::ui {

/// An entry of the table, row the dimension and column the position: of the model's own table, or a
/// sine or cosine. None of schemes without a table.
MaybeNumber positionNumber(const PositionsContent& content, const LoadedModel& model,
                           HeatmapCell entry);

} // namespace headscope::ui
