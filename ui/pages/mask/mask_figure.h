#pragma once

#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

/// Figure of the shown variant's mask with text and counts.
Figure maskFigure(const ViewSnapshot& view, const QJsonObject& options);

} // namespace headscope::ui
