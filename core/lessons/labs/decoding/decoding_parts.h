#pragma once

#include "core/generate/generator.h"
#include "core/lessons/labs/lab.h"

namespace headscope {

/// The user's sentence without its last "leave_out" tokens, as a prompt; at least one token,
/// truncated on the left so that `wanted` more tokens fit.
std::vector<TokenId> promptOf(const LabContext& context, const LoadedModel& model,
                              const LabSettings& settings, std::int64_t wanted);

/// Number in the style of lesson texts: "−0.92".
std::string decimals(double value, int count);

} // namespace headscope
