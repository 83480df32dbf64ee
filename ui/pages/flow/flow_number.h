#pragma once

#include "ui/pages/flow/flow_content.h"
#include "ui/pages/shared/maps/shown_number.h"

namespace headscope::ui {

/// An edge's own share: of attention and residual, or of what vectors add. None, with the reason in
/// `why`, where it is made of more than that.
MaybeNumber flowEdgeNumber(const Looking& looking, const FlowOptions& options,
                           const FlowContent& content, const FlowEdge& edge, QString* why);

} // namespace headscope::ui
