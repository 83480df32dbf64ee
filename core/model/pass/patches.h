#pragma once

#include "core/model/pass/interventions.h"
#include "core/trace/trace.h"

namespace headscope {

/// The activation of another trace in place of the computed one: of one head, where that is given,
/// at these positions, or at all. Throws Error when the trace does not hold it.
Patch patchFrom(const Trace& trace, TraceKey key, std::optional<int> head = std::nullopt,
                std::vector<std::int64_t> positions = {});

/// Mean ablation: each head's z is its mean over all positions of all traces, at every position.
/// Throws Error when a trace does not hold a head's z or has another width.
std::vector<Patch> meanAblation(const std::vector<TracePtr>& traces,
                                const std::vector<HeadId>& heads);

/// Every pattern that the trace holds, cross-attention's too, as it is: queries and keys that come
/// later are computed, and earlier queries do not see them.
std::vector<Patch> freezePatterns(const Trace& trace);

} // namespace headscope
