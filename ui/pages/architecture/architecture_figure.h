#pragma once

#include "ui/pages/architecture/architecture_layout.h"
#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

/// Architecture figure of the loaded model; empty without a model.
ArchitectureContent architectureContent(const Looking& looking);

Figure architectureFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
