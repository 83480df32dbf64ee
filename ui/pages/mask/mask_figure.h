#pragma once

#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

/// The mask of the shown run as a picture with words and counts.
Figure maskFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
