#pragma once

#include "ui/pages/architecture/architecture_layout.h"
#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

/// Architecture figure of the loaded model; empty without a model.
ArchitectureContent architectureContent(const ViewSnapshot& view);

Figure architectureFigure(const ViewSnapshot& view, const QJsonObject& options);

} // namespace headscope::ui
