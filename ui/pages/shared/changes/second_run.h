#pragma once

#include "ui/workers/forward/forward_job.h"

namespace headscope::ui {

/// Context that resolves changes outside the forward worker, on the caller's thread: `b` gives the
/// lengths of B's texts and may be `a`. All three must outlive it.
SecondRunContext secondRunContext(const Trace& a, const Trace& b, const LoadedModel& model);

} // namespace headscope::ui
