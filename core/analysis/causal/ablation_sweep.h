#pragma once

#include "core/analysis/causal/base_pass.h"

#include <string>

namespace headscope {

/// Replacement for the output z of an ablated head.
enum class Replacement {
    Zero, ///< Zeros.
    Mean, ///< Mean z over the positions of the reference texts.
    /// z at a random position of the reference texts (by the seed), one for each position.
    Resample,
};

/// Name in files and options: "zero", "mean", "resample".
const char* nameOf(Replacement replacement);
std::optional<Replacement> parseReplacement(std::string_view name);

struct AblationRequest
{
    CausalText text;
    GradientTarget metric; ///< A logit, a logit difference or the mean loss.
    Replacement replacement = Replacement::Zero;
    std::vector<CausalText> references; ///< Source of means and samples; empty: the text itself.
    std::uint64_t seed = 0;             ///< Seed of Resample.
};

/// Effect of ablating one head of the stack that predicts.
struct HeadEffect
{
    HeadId head;
    double metric = 0.0; ///< Metric with the head ablated.
    double effect = 0.0; ///< Metric with the head ablated - metric of the whole model.
};

/// Effects of ablating every head in turn (metrics.md 13): by layer, then self-attention before
/// cross-attention, then head.
struct AblationSweep
{
    double before = 0.0; ///< Metric of the whole model.
    std::vector<HeadEffect> heads;
    double seconds = 0.0; ///< Duration of the whole sweep, including its two plain forward passes.
    double plainSeconds = 0.0; ///< Duration of one forward pass that retains nothing.

    /// Seconds of the sweep divided by those of as many plain forward passes: what reuse saves.
    double ratioToPlainPasses() const;
};

/// Ablates every head in turn. Results that an ablation does not change are reused: attention
/// output' = output - (z_h - replacement) W_O^h, then only what follows is computed (Michel et al.
/// 2019, "Are Sixteen Heads Really Better than One?", zero ablation; Wang et al. 2022,
/// "Interpretability in the Wild", mean ablation). Throws Error for a metric that the text does not
/// have and for resampling from a single position, Cancelled through `progress`.
AblationSweep ablationSweep(std::shared_ptr<const ResumedForward> model,
                            const AblationRequest& request, const BackendFactory& backends,
                            Progress& progress);

} // namespace headscope
