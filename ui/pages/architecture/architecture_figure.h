#pragma once

#include "ui/pages/architecture/architecture_layout.h"
#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

/// Empty without a model.
ArchitectureContent architectureContent(const Looking& looking);

Figure architectureFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
