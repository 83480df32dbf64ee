#pragma once

#include "ui/pages/heads/heads_content.h"
#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

/// Map of scores or of similarity, and the first heads by the score.
Figure headsFigure(const ViewSnapshot& view, const QJsonObject& options);
Figure headsFigure(const ViewSnapshot& view, const HeadsChoice& choice,
                   const HeadsMeasured& measured, const HeadLikenessPtr& likeness);

} // namespace headscope::ui
