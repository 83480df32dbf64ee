#pragma once

#include "ui/pages/lens/lens_content.h"
#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

Figure lensFigure(const LensReadout& readout);
Figure lensFigure(const ViewSnapshot& view, const QJsonObject& options);

} // namespace headscope::ui
