#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/pages/train/train_content.h"

namespace headscope::ui {

/// Figure of the page: both charts above the timeline, with the heads beside them; the curves and
/// the scores of all heads are included as tables.
Figure trainFigure(const TrainContent& trainContent);

} // namespace headscope::ui
