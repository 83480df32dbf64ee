#pragma once

#include "core/model/pass/tracer.h"

#include <string>
#include <utility>
#include <vector>

namespace headscope::test {

/// modelKinds() with weights that make attention far from uniform, and a rotary scaling that
/// changes with the length of the text.
std::vector<std::pair<std::string, ModelConfig>> tracedKinds();

LoadedModel kindModel(const ModelConfig& config);

bool hasTwoStacks(const ModelConfig& config);

/// A target of so many random tokens, and of encoder-decoders a source of 9.
SourceAndTarget randomTexts(const ModelConfig& config, std::uint64_t seed, std::size_t tokens);

/// By the call that the model takes.
TracePtr traceOf(Tracer& tracer, const SourceAndTarget& texts,
                 const Interventions& interventions = {});

/// By a tracer that has seen nothing yet.
TracePtr freshTrace(const LoadedModel& model, const SourceAndTarget& texts,
                    const Interventions& interventions = {});

} // namespace headscope::test
