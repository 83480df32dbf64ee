#pragma once

#include "core/base/progress.h"

#include <cstdint>

namespace headscope {

/// What is measured on: a random decoder in the shape of GPT-2 small, and random tokens.
struct AnalysisCase
{
    int layers = 12;
    int heads = 12;
    std::int64_t tokens = 128;
    int rounds = 5; ///< medians are over these
};

/// All scores of all heads beside the forward pass that they are of, turn by turn.
struct ScoresTiming
{
    AnalysisCase shape;
    double forwardMs = 0.0; ///< with patterns kept
    double scoresMs = 0.0;

    double ratio() const { return scoresMs / forwardMs; }
};

ScoresTiming measureScores(const AnalysisCase& shape, Progress& progress);

/// Every head switched off once: by the sweep, which runs only what follows the head, and by as
/// many whole passes.
struct AblationTiming
{
    AnalysisCase shape;
    int heads = 0; ///< of all layers
    double sweepMs = 0.0;
    double passesMs = 0.0;
    double largestError = 0.0; ///< of an effect, between the two

    double ratio() const { return sweepMs / passesMs; }
};

AblationTiming measureAblation(const AnalysisCase& shape, Progress& progress);

} // namespace headscope
