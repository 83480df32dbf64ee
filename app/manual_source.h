#pragma once

#include "core/lessons/manual/manual.h"

namespace headscope::app {

/// The manual embedded in the program. Read once; throws Error when it is malformed.
const Manual& builtinManual();

} // namespace headscope::app
