#pragma once

#include "ui/pages/overview/cross_content.h"
#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

Figure crossFigure(const ViewSnapshot& view, const CrossOptions& options);
Figure crossFigure(const ViewSnapshot& view, const QJsonObject& options);

} // namespace headscope::ui
