#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/pages/train/train_content.h"

namespace headscope::ui {

/// The page as a picture: both charts over the timeline, the heads beside them; with the curves and
/// the scores of all heads as tables.
Figure trainFigure(const TrainPicture& picture);

} // namespace headscope::ui
