#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope::ui {

/// Throws Error naming the panel whose figure cannot be drawn because sizes do not match or a
/// parent or arrow has no target. Painting code relies on this check.
void requireDrawable(const LabResult& result);

} // namespace headscope::ui
