#pragma once

#include "ui/pages/lens/lens_content.h"
#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

Figure lensFigure(const LensPicture& picture);
Figure lensFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
