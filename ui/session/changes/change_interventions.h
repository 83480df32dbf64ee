#pragma once

#include "ui/session/changes/changes.h"

namespace headscope::ui {

/// Interventions that implement the changes, resolved on the worker's thread. Changes outside a
/// text of this length (cells, swaps and patches beyond its end) are omitted.
Interventions interventionsOf(const Changes& changes, const SecondRunContext& context);

} // namespace headscope::ui
