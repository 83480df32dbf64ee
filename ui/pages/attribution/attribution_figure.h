#pragma once

#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

Figure attributionFigure(const ViewSnapshot& view, const QJsonObject& options);

} // namespace headscope::ui
