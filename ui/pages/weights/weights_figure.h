#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/pages/weights/weights_content.h"

namespace headscope::ui {

/// Figure of a map that has been read.
Figure weightsFigure(const ViewSnapshot& view, const WeightSubject& subject, const WeightMap& map,
                     const WeightsOptions& options);

/// Reads the map at once, for `headscope render`.
Figure weightsFigure(const ViewSnapshot& view, const QJsonObject& options);

} // namespace headscope::ui
