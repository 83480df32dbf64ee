#pragma once

#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

/// Figure of the results kept in the page's options; nothing is computed.
Figure causalFigure(const ViewSnapshot& view, const QJsonObject& options);

} // namespace headscope::ui
