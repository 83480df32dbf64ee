#pragma once

#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

Figure arcsFigure(const ViewSnapshot& view, const QJsonObject& options);

} // namespace headscope::ui
