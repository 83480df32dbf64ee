#pragma once

#include "core/model/pass/tracer.h"

namespace headscope {

/// What all scores of all heads cost beside the forward pass that they are of.
struct HeadScoreSpeed
{
    int layers = 0;
    int heads = 0;
    std::int64_t tokens = 0;
    double forwardMs = 0.0; ///< with patterns kept; best of the rounds
    double scoresMs = 0.0;  ///< scoreTrace; best of the rounds

    double ratio() const { return forwardMs > 0.0 ? scoresMs / forwardMs : 0.0; }
};

/// A random decoder of that many layers and heads (768 channels at 12 heads, as GPT-2 small) on
/// `tokens` random tokens.
HeadScoreSpeed measureHeadScores(int layers = 12, int heads = 12, std::int64_t tokens = 128,
                                 int rounds = 3, const std::stop_token& stop = {});

/// The same of a model that is open.
HeadScoreSpeed measureHeadScores(const LoadedModel& model, std::int64_t tokens, int rounds = 3,
                                 const std::stop_token& stop = {});

} // namespace headscope
