#pragma once

#include "core/model/pass/tracer.h"

namespace headscope {

/// Time for all scores of all heads next to that of the forward pass they are computed from.
struct HeadScoreSpeed
{
    int layers = 0;
    int heads = 0;
    std::int64_t tokens = 0;
    double forwardMs = 0.0; ///< Forward pass that retains its patterns; best of the rounds.
    double scoresMs = 0.0;  ///< Time of scoreTrace; best of the rounds.

    double ratio() const { return forwardMs > 0.0 ? scoresMs / forwardMs : 0.0; }
};

/// Measures a random decoder of `layers` layers and `heads` heads (768 channels at 12 heads, as
/// GPT-2 small) on `tokens` random tokens.
HeadScoreSpeed measureHeadScores(int layers = 12, int heads = 12, std::int64_t tokens = 128,
                                 int rounds = 3, const std::stop_token& stop = {});

/// Measures a loaded model in the same way.
HeadScoreSpeed measureHeadScores(const LoadedModel& model, std::int64_t tokens, int rounds = 3,
                                 const std::stop_token& stop = {});

} // namespace headscope
