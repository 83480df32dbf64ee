#pragma once

#include "core/model/pass/interventions.h"
#include "core/trace/trace.h"

namespace headscope {

/// Patches in the activation of another trace: of one head, where given, at these positions, or at
/// all. Throws Error when the trace does not contain it.
Patch patchFrom(const Trace& trace, TraceKey key, std::optional<int> head = std::nullopt,
                std::vector<std::int64_t> positions = {});

/// Mean ablation: each head's z is replaced by its mean over all positions of all traces, at every
/// position. Throws Error when a trace does not contain a head's z or has a different width.
std::vector<Patch> meanAblation(const std::vector<TracePtr>& traces,
                                const std::vector<HeadId>& heads);

/// Patches in every pattern of the trace, including cross-attention, unchanged: later queries and
/// keys are computed, and earlier queries do not see them.
std::vector<Patch> freezePatterns(const Trace& trace);

} // namespace headscope
