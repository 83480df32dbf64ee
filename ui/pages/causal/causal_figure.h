#pragma once

#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

/// From what the page keeps in its options: nothing is computed.
Figure causalFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
