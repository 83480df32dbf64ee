#pragma once

#include "core/analysis/lens/tuned_lens.h"
#include "core/model/pass/tracer.h"

#include <functional>

namespace headscope {

struct TunedLensSettings
{
    std::int64_t steps = 250;
    std::int64_t batch = 64;          ///< Number of positions per step.
    double rate = 1e-3;               ///< Learning rate of Adam, falling linearly to 0.
    double decay = 0.0;               ///< Weight decay of AdamW, towards the logit lens.
    double heldOut = 0.2;             ///< Fraction of the texts that is held out.
    std::int64_t heldOutTokens = 256; ///< Largest number of held-out tokens.
    /// Number of tokens of text; if the given ones have fewer, the model generates more.
    std::int64_t tokens = 4096;
    std::uint64_t seed = 1;
    /// Largest number of bytes for the residual streams of the texts.
    std::size_t memory = std::size_t{256} << 20;
};

/// Settings for a model of this size: fewer positions and less text where both are costly, so that
/// a step takes about a second at most on two cores.
TunedLensSettings tunedLensSettings(const Model& model);

/// Result of one step.
struct TunedLensReport
{
    std::int64_t step = 0; ///< 1 after the first step.
    std::int64_t steps = 0;
    std::vector<double> divergence; ///< Mean KL at the step's positions by stage, nats.
};

/// Minimises KL(model || lens) at every stage independently. Deterministic for a seed, whatever the
/// number of threads. Throws Error without a language head or with too little text, Cancelled on
/// `stop`.
TunedLens trainTunedLens(const LoadedModel& model, const std::vector<SourceAndTarget>& texts,
                         const TunedLensSettings& settings,
                         const std::function<void(const TunedLensReport&)>& onStep = {},
                         const std::stop_token& stop = {});

} // namespace headscope
