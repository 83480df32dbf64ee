#pragma once

#include "core/model/pass/gradient_trace.h"

#include <functional>
#include <map>
#include <vector>

namespace headscope {

/// What an attribution explains: model, text and target.
struct AttributionRun
{
    const Model& model;
    AttentionBackend& backend;
    GradientText text;
    GradientTarget target;
    const Interventions* interventions = nullptr; ///< Interventions of a modified forward pass.
    std::stop_token stop = {};
    std::function<void(double)> progress = {}; ///< Receives 0 to 1; may be empty.
};

/// Maps [h, n, m] by the key of Pattern or CrossPattern.
using AttentionMaps = std::map<TraceKey, Tensor>;

/// Gradient x attention for every pattern: A * d target / d A, signed [h, n, m] (Chefer et al.
/// 2021, "Generic Attention-model Explainability", equation 5, before the mean over heads and
/// without dropping negative values).
struct GradientAttention
{
    AttentionMaps maps;
    double value = 0.0; ///< Value of the target.
};

GradientAttention gradientTimesAttention(const AttributionRun& run);

/// Settings of the straight path from the baseline (0) to the computed values (1).
struct PathSettings
{
    int steps = 64; ///< Largest number of gradients.
    /// Fraction of |target(1) - target(0)|: stop when the error of the sum is below it.
    double tolerance = 0.01;
    std::size_t memory = std::size_t{512} << 20; ///< Bytes for the gradients; they limit `steps`.
};

/// Agreement of an integral with the sum that it must have.
struct PathResult
{
    double full = 0.0;     ///< target(1).
    double baseline = 0.0; ///< target(0).
    double sum = 0.0; ///< Sum of all attributions: full - baseline - jumps, up to the step error.
    /// Jumps of the target (another expert is chosen, a norm's input is nearly 0), attributed to no
    /// cell.
    double jumps = 0.0;
    int steps = 0; ///< Number of gradients taken.

    double gap() const { return sum + jumps - (full - baseline); }
};

/// Integrated gradients of attention (Hao et al. 2021, "Self-Attention Attribution", equation 3): A
/// times the mean of d target / d A while the patterns of `layers` are scaled together from 0 to 1;
/// all else is recomputed. Steps are placed where the target changes most.
struct IntegratedAttention
{
    AttentionMaps maps;
    PathResult path;
};

/// `scaled`: Pattern or CrossPattern keys that are scaled together; the paper scales one layer.
IntegratedAttention integratedAttention(const AttributionRun& run, std::span<const TraceKey> scaled,
                                        const PathSettings& settings = {});

/// Attribution of the target to each input token's embedding.
struct InputAttribution
{
    std::vector<double> tokens; ///< Attributions of the tokens [n].
    /// Attributions of the source [m] of an encoder-decoder; else empty.
    std::vector<double> source;
    PathResult path; ///< Result of integrated gradients; otherwise only `full` is set.
};

/// Sum over channels of d target / d embedding * embedding (token embedding, without positions).
InputAttribution gradientTimesInput(const AttributionRun& run);

/// Integrated gradients (Sundararajan et al. 2017) from embeddings of 0; positions are unchanged.
InputAttribution integratedInput(const AttributionRun& run, const PathSettings& settings = {});

} // namespace headscope
