#pragma once

#include "ui/pages/flow/flow_content.h"
#include "ui/pages/shared/maps/shown_number.h"

namespace headscope::ui {

/// Derivation of an edge's weight from attention and residual, or from contributions. None, with
/// the reason in `why`, where it depends on more than that.
MaybeNumber flowEdgeNumber(const ViewSnapshot& view, const FlowOptions& options,
                           const FlowContent& content, const FlowEdge& edge, QString* why);

} // namespace headscope::ui
