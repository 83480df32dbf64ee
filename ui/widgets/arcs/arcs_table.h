#pragma once

#include "ui/widgets/arcs/arcs.h"
#include "ui/widgets/readable.h"

#include <functional>

namespace headscope::ui {

/// Table of the arcs for screen readers: queries are rows, keys columns; a cell lists all shown
/// heads. `content` must outlive the table.
ReadableTable arcsTable(const ArcsContent& content, std::function<QRectF(HeatmapCell)> place);

} // namespace headscope::ui
