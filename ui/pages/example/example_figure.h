#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/widgets/controls/step_bar.h"
#include "ui/widgets/worked/worked_picture.h"

namespace headscope::ui {

/// What a worked example shows, as a picture with the step bar above; its matrices as numbers,
/// cells that are not worked out yet as no number.
Figure exampleFigure(const WorkedPicture& picture, const StepBarContent& stages);

/// The same from saved options, for `headscope render` and for a page that was not opened yet.
Figure exampleFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
