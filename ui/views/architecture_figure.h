#pragma once

#include "ui/views/architecture_plot.h"
#include "ui/views/figure.h"

namespace headscope::ui {

/// Empty without a model.
ArchitectureContent architectureContent(const Looking& looking);

Figure architectureFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
