#pragma once

#include "core/generate/generator.h"
#include "core/trace/trace.h"

#include <span>

namespace headscope {

/// What the model expects after the token at `position` (-1: the last), most probable first, from
/// the logits of a trace. Empty when the trace has none, or none to compare: areUsable is false.
/// `tokenizer` may be null.
std::vector<Candidate> nextTokens(const Trace& trace, std::int64_t position, int count,
                                  const Tokenizer* tokenizer);

/// True when a softmax of these logits is one: none is NaN or +infinity, and not all are -infinity.
bool areUsable(std::span<const float> logits);

/// ln p of the token that really follows each position: [n - 1], empty without logits.
std::vector<double> logProbabilities(const Trace& trace);

} // namespace headscope
