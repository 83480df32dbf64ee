#pragma once

#include "ui/widgets/arcs/arcs.h"
#include "ui/widgets/readable.h"

#include <functional>

namespace headscope::ui {

/// What screen readers find in arcs: queries are rows, keys columns; a cell has all shown heads.
/// `content` must live as long as the table.
ReadableTable arcsTable(const ArcsContent& content, std::function<QRectF(HeatmapCell)> place);

} // namespace headscope::ui
