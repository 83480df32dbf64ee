#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/widgets/controls/step_bar.h"
#include "ui/widgets/worked/worked_diagram.h"

namespace headscope::ui {

/// Figure of a worked example with the step bar above; its matrices as numbers, with cells not yet
/// computed as NaN.
Figure exampleFigure(const WorkedDiagram& diagram, const StepBarContent& stages);

/// Same, from saved options: for `headscope render` and for a page that has not been opened.
Figure exampleFigure(const ViewSnapshot& view, const QJsonObject& options);

} // namespace headscope::ui
