#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope::ui {

/// Throws Error naming the panel whose picture cannot be drawn: sizes that do not fit, a parent or
/// an arrow to nowhere. Whoever draws relies on it.
void requireDrawable(const LabResult& result);

} // namespace headscope::ui
