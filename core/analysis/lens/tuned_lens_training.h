#pragma once

#include "core/analysis/lens/tuned_lens.h"
#include "core/model/pass/tracer.h"

#include <functional>

namespace headscope {

struct TunedLensSettings
{
    std::int64_t steps = 250;
    std::int64_t batch = 64;          ///< positions a step
    double rate = 1e-3;               ///< Adam's, falling in a line to 0
    double decay = 0.0;               ///< AdamW's: towards the logit lens
    double heldOut = 0.2;             ///< share of the texts that is only measured
    std::int64_t heldOutTokens = 256; ///< of those texts, at most
    std::int64_t tokens = 4096; ///< of text; where the given ones are fewer, the model writes more
    std::uint64_t seed = 1;
    std::size_t memory = std::size_t{256} << 20; ///< bytes that the texts' streams may take
};

/// Settings for a model of this size: fewer positions and less text where both cost much, so that a
/// step takes about a second at most on two cores.
TunedLensSettings tunedLensSettings(const Model& model);

/// What a step brought.
struct TunedLensReport
{
    std::int64_t step = 0; ///< 1 after the first
    std::int64_t steps = 0;
    std::vector<double> divergence; ///< of each stage: mean KL of the step's positions, nats
};

/// Minimises KL(model || lens) at every stage, each on its own. Deterministic for a seed, whatever
/// the number of threads. Throws Error where there is too little text or no language head,
/// Cancelled when `stop` asks.
TunedLens trainTunedLens(const LoadedModel& model, const std::vector<SourceAndTarget>& texts,
                         const TunedLensSettings& settings,
                         const std::function<void(const TunedLensReport&)>& onStep = {},
                         const std::stop_token& stop = {});

} // namespace headscope
