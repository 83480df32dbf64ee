#pragma once

#include "ui/pages/causal/causal_choice.h"

namespace headscope::ui {

/// Metric text: "logit of "b" minus "n" after token 7".
QString metricText(const ViewSnapshot& view, const GradientTarget& metric);
QString metricName(GradientTarget::Kind kind);
QString replacementName(Replacement replacement);
QString patchSiteName(PatchSite site);

} // namespace headscope::ui
