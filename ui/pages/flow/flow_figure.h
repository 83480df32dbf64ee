#pragma once

#include "ui/pages/flow/flow_fractions.h"
#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

Figure flowFigure(const ViewSnapshot& view, const FlowOptions& options, const FlowMixings& mixings);
Figure flowFigure(const ViewSnapshot& view, const QJsonObject& options);

} // namespace headscope::ui
