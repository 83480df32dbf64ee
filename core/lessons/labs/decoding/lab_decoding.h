#pragma once

#include "core/generate/generator.h"
#include "core/lessons/labs/lab.h"

namespace headscope {

// The labs of labsOfDecoding(), one by one.

Lab decodingLab();
Lab beamLab();

/// How many tokens at the end of the sentence are left out, for the model to say itself.
LabControl leaveOutControl(double initial);

/// The person's sentence without those, as a start for the model to go on from; at least one token,
/// and cut from the left so that `wanted` more fit behind it.
std::vector<TokenId> promptOf(const LabContext& context, const LoadedModel& model,
                              const LabSettings& settings, std::int64_t wanted);

/// As lesson texts write it: "−0.92".
std::string decimals(double value, int count);

} // namespace headscope
