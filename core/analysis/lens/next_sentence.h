#pragma once

#include "core/trace/trace.h"

#include <optional>

namespace headscope {

/// Probability that the second text of a pair follows the first, by the next-sentence head (Devlin
/// et al. 2019, section 3.1). Empty for one text, and when the trace has no such logits.
std::optional<double> followsProbability(const Trace& trace);

} // namespace headscope
