#pragma once

#include "core/generate/generator.h"
#include "core/lessons/labs/lab.h"

namespace headscope {

/// The person's sentence without its last "leave_out" tokens, as a start for the model to go on
/// from; at least one token, and cut from the left so that `wanted` more fit behind it.
std::vector<TokenId> promptOf(const LabContext& context, const LoadedModel& model,
                              const LabSettings& settings, std::int64_t wanted);

/// As lesson texts write it: "−0.92".
std::string decimals(double value, int count);

} // namespace headscope
