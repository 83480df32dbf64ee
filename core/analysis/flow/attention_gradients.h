#pragma once

#include "core/model/pass/gradient_trace.h"

#include <functional>
#include <map>
#include <vector>

namespace headscope {

/// What a target is attributed to, and with what.
struct AttributionRun
{
    const Model& model;
    AttentionBackend& backend;
    GradientText text;
    GradientTarget target;
    const Interventions* interventions = nullptr; ///< of a changed run
    std::stop_token stop = {};
    std::function<void(double)> progress = {}; ///< 0 to 1; may be empty
};

using AttentionMaps = std::map<TraceKey, Tensor>; ///< by Pattern or CrossPattern: [h, n, m]

/// A * d target / d A of every pattern (signed; Chefer et al. 2021, "Generic Attention-model
/// Explainability", equation 5, before the mean over heads and without dropping negative values).
struct GradientAttention
{
    AttentionMaps maps;
    double value = 0.0; ///< of the target
};

GradientAttention gradientTimesAttention(const AttributionRun& run);

/// How a straight path from the baseline (0) to what was computed (1) is followed.
struct PathSettings
{
    int steps = 64;          ///< at most so many gradients
    double tolerance = 0.01; ///< of |target(1) - target(0)|: stop when the sum is as near
};

/// How well the sum of an integral agrees with what it must add up to.
struct PathResult
{
    double full = 0.0;     ///< target(1)
    double baseline = 0.0; ///< target(0)
    double sum = 0.0;      ///< of all attributions: full - baseline - jumps, to the step error
    double jumps = 0.0;    ///< where the target jumps (another expert is chosen, a norm's
                           ///< input is nearly 0): no cell's own
    int steps = 0;         ///< gradients that were taken

    double gap() const { return sum + jumps - (full - baseline); }
};

/// Integrated gradients of attention (Hao et al. 2021, "Self-Attention Attribution", equation 3):
/// A times the mean of d target / d A while the patterns of `layers` together grow from 0 to what
/// they are; all else is computed. The steps are placed where the target moves most.
struct IntegratedAttention
{
    AttentionMaps maps;
    PathResult path;
};

/// `scaled`: Pattern or CrossPattern keys that grow together; the paper's are one layer's.
IntegratedAttention integratedAttention(const AttributionRun& run, std::span<const TraceKey> scaled,
                                        const PathSettings& settings = {});

/// What each input token's embedding does to the target.
struct InputAttribution
{
    std::vector<double> tokens; ///< [n]
    std::vector<double> source; ///< [m] of an encoder-decoder; else empty
    PathResult path;            ///< of integrated gradients; else only `full`
};

/// Sum over channels of d target / d embedding * embedding (token embedding, without positions).
InputAttribution gradientTimesInput(const AttributionRun& run);

/// Integrated gradients (Sundararajan et al. 2017) from embeddings of 0; positions stay.
InputAttribution integratedInput(const AttributionRun& run, const PathSettings& settings = {});

} // namespace headscope
