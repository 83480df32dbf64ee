#pragma once

#include "core/generate/generator.h"
#include "core/trace/trace.h"

#include <span>

namespace headscope {

/// Predictions after the token at `position` (-1: the last), most probable first, from the logits
/// of a trace. Empty when the trace has none, or unusable ones: areUsable is false. `tokenizer` may
/// be null.
std::vector<Candidate> nextTokens(const Trace& trace, std::int64_t position, int count,
                                  const Tokenizer* tokenizer);

/// True when the softmax of these logits is defined: none is NaN or +infinity, and not all are
/// -infinity.
bool areUsable(std::span<const float> logits);

/// Log-probability ln p of the token that actually follows each position: [n - 1], empty without
/// logits.
std::vector<double> logProbabilities(const Trace& trace);

} // namespace headscope
