#pragma once

#include "ui/pages/flow/flow_shares.h"
#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

Figure flowFigure(const Looking& looking, const FlowOptions& options, const FlowMixings& mixings);
Figure flowFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
