#pragma once

#include "ui/pages/shared/maps/shown_number.h"
#include "ui/widgets/charts/distance/distance_chart.h"

namespace headscope::ui {

/// Mean weight of a head at the distances of a bin, or its mean distance, from the cells. None for
/// texts of very many cells.
MaybeNumber distanceNumber(const ViewSnapshot& view, int head, const DistanceBin& bin);
MaybeNumber meanDistanceNumber(const ViewSnapshot& view, GridCell head);

} // namespace headscope::ui
