#pragma once

#include "core/base/progress.h"

#include <cstdint>

namespace headscope {

/// Input of a benchmark: a random decoder shaped like GPT-2 small, and random tokens.
struct AnalysisCase
{
    int layers = 12;
    int heads = 12;
    std::int64_t tokens = 128;
    int rounds = 5; ///< Number of repetitions that medians are taken over.
};

/// Time for all scores of all heads next to that of the forward pass they are computed from,
/// measured alternately.
struct ScoresTiming
{
    AnalysisCase shape;
    double forwardMs = 0.0; ///< Forward pass that retains its attention patterns.
    double scoresMs = 0.0;

    double ratio() const { return scoresMs / forwardMs; }
};

ScoresTiming measureScores(const AnalysisCase& shape, Progress& progress);

/// Every head ablated once: by the sweep, which computes only what follows the head, and by as many
/// complete forward passes.
struct AblationTiming
{
    AnalysisCase shape;
    int heads = 0; ///< Number of heads in all layers.
    double sweepMs = 0.0;
    double passesMs = 0.0;
    double largestError = 0.0; ///< Largest difference of an effect between the two ways.

    double ratio() const { return sweepMs / passesMs; }
};

AblationTiming measureAblation(const AnalysisCase& shape, Progress& progress);

} // namespace headscope
