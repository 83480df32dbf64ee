#pragma once

#include "ui/pages/shared/maps/shown_pattern.h"

namespace headscope::ui {

/// Several heads of the active part, each as in shownPattern, with labels computed once.
std::vector<ShownPattern> shownPatterns(const ViewSnapshot& view, Variant variant,
                                        const std::vector<GridCell>& heads);

} // namespace headscope::ui
