#pragma once

#include "ui/widgets/flow/flow_graph.h"
#include "ui/widgets/readable.h"

#include <functional>
#include <vector>

namespace headscope::ui {

/// What screen readers find in a flow graph: tokens are rows, levels columns, cells nodes with the
/// edges into them. Both must live as long as the table.
ReadableTable flowTable(const FlowGraphContent& content, const std::vector<FlowEdge>& drawn,
                        std::function<QRectF(HeatmapCell)> place);

} // namespace headscope::ui
