#pragma once

#include "core/analysis/causal/base_pass.h"

#include <string>

namespace headscope {

/// What stands in for the output z of a head that is switched off.
enum class Replacement {
    Zero,     ///< nothing
    Mean,     ///< its mean over the positions of the reference texts
    Resample, ///< its z at a position of the reference texts drawn by the seed, one for each
};

const char* nameOf(Replacement replacement); ///< "zero", "mean", "resample"
std::optional<Replacement> parseReplacement(std::string_view name);

struct AblationRequest
{
    CausalText text;
    GradientTarget metric; ///< a logit, a logit difference or the mean loss
    Replacement replacement = Replacement::Zero;
    std::vector<CausalText> references; ///< of mean and resample; empty: the text itself
    std::uint64_t seed = 0;             ///< of resample
};

/// One head of the stack that predicts, and what its absence changes.
struct HeadEffect
{
    HeadId head;
    double metric = 0.0; ///< without the head
    double effect = 0.0; ///< metric without - metric with it
};

/// Every head switched off in turn (metrics.md 13): by layer, then self-attention before that to a
/// source, then head.
struct AblationSweep
{
    double before = 0.0; ///< the metric of the whole model
    std::vector<HeadEffect> heads;
    double seconds = 0.0;      ///< of the whole sweep, with its two plain passes
    double plainSeconds = 0.0; ///< of one pass that keeps nothing

    /// Seconds of the sweep over those of as many plain passes: what the reuse saves.
    double ratioToPlainPasses() const;
};

/// What an ablation does not change is reused: attention output' = output - (z_h - replacement)
/// W_O^h, then only what follows runs (Michel et al. 2019, "Are Sixteen Heads Really Better than
/// One?", zero ablation; Wang et al. 2022, "Interpretability in the Wild", mean ablation). Throws
/// Error for a metric that the text does not have and for resampling from a single position,
/// Cancelled through `progress`.
AblationSweep ablationSweep(std::shared_ptr<const ResumedForward> model,
                            const AblationRequest& request, const BackendFactory& backends,
                            Progress& progress);

} // namespace headscope
