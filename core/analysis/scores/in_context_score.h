#pragma once

#include "core/trace/trace.h"

#include <optional>
#include <span>
#include <vector>

namespace headscope {

/// Which two tokens of a text the score compares: 0-based, a token's loss is -ln p of that token
/// after those before it, so that position 0 has none.
struct InContextPositions
{
    std::int64_t early = 0;
    std::int64_t late = 0;

    friend bool operator==(const InContextPositions&, const InContextPositions&) = default;
};

/// 50 and 500 as in the paper where the text reaches so far; for shorter ones the same places in
/// proportion, the last token and a tenth of it. Empty below 20 tokens: the early one would have
/// next to no context and the late one little more.
std::optional<InContextPositions> inContextPositions(std::int64_t tokens);

/// How much better a model predicts with more context (Olsson et al. 2022, "In-context Learning and
/// Induction Heads"): mean over texts of the loss at `late` minus that at `early`, in nats; below 0
/// the context helps. One text gives a noisy value: a single token at each place.
struct InContextScore
{
    InContextPositions positions;
    double earlyLoss = 0.0; ///< mean over the texts
    double lateLoss = 0.0;
    std::size_t texts = 0; ///< that reach as far as `late`

    double score() const { return lateLoss - earlyLoss; }
};

/// `logProbabilities` of each text as next_token.h gives them: entry i is ln p of token i + 1.
/// Empty when no text is long enough. Throws ShapeError unless 1 <= early < late.
std::optional<InContextScore> inContextScore(std::span<const std::vector<double>> logProbabilities,
                                             InContextPositions positions);

/// Of one trace, at inContextPositions(its tokens). Empty for short texts and without logits. Of
/// models that predict the next token: what an encoder's logits say at a place is not that.
std::optional<InContextScore> inContextScore(const Trace& trace);

} // namespace headscope
