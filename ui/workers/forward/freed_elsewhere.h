#pragma once

#include "core/trace/trace.h"

namespace headscope::ui {

/// The same trace, except that a large one is destroyed by a thread of its own, whichever one releases it
/// last: giving half a GiB back to the system takes 0.3 s.
TracePtr freedElsewhere(TracePtr trace);

} // namespace headscope::ui
