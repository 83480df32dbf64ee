#pragma once

#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

Figure arcsFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
