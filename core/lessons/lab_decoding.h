#pragma once

#include "core/generate/generator.h"
#include "core/lessons/lab.h"

namespace headscope {

// The labs of labsOfDecoding(), one by one.

Lab decodingLab();
Lab beamLab();

/// The person's sentence as a start for the model to go on from; it is cut from the left so that
/// `wanted` tokens fit behind it.
std::vector<TokenId> promptOf(const LabContext& context, const LoadedModel& model,
                              std::int64_t wanted);

} // namespace headscope
