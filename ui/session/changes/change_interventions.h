#pragma once

#include "ui/session/changes/changes.h"

namespace headscope::ui {

/// What the model's run needs, on the worker's thread. Changes that do not fit a text of so many
/// tokens (cells, swaps and patches beyond its end) are left out.
Interventions interventionsOf(const Changes& changes, const SecondRunContext& context);

} // namespace headscope::ui
