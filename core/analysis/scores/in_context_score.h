#pragma once

#include "core/model/config/model_config.h"
#include "core/trace/trace.h"

#include <optional>
#include <span>
#include <vector>

namespace headscope {

/// The two tokens of a text that the score compares: 0-based, a token's loss is -ln p of that token
/// given those before it, so position 0 has none.
struct InContextPositions
{
    std::int64_t early = 0;
    std::int64_t late = 0;

    friend bool operator==(const InContextPositions&, const InContextPositions&) = default;
};

inline constexpr std::int64_t kFewestInContextTokens = 20;

/// Positions 50 and 500 as in the paper for texts long enough; for shorter ones the same positions
/// in proportion, the last token and a tenth of it. Empty below kFewestInContextTokens: the early one would have
/// hardly any context and the late one little more.
std::optional<InContextPositions> inContextPositions(std::int64_t tokens);

/// Gain of a model's predictions from more context (Olsson et al. 2022, "In-context Learning and
/// Induction Heads"): mean over texts of the loss at `late` minus that at `early`, in nats; below 0
/// the context helps. One text gives a noisy value: a single token at each position.
struct InContextScore
{
    InContextPositions positions;
    double earlyLoss = 0.0; ///< Mean over the texts.
    double lateLoss = 0.0;
    std::size_t texts = 0; ///< Number of texts that reach `late`.

    double score() const { return lateLoss - earlyLoss; }
};

/// Score from the `logProbabilities` of each text as returned by next_token.h: entry i is ln p of
/// token i + 1. Empty when no text is long enough. Throws ShapeError unless 1 <= early < late.
std::optional<InContextScore> inContextScore(std::span<const std::vector<double>> logProbabilities,
                                             InContextPositions positions);

/// Score of the model on the text of its trace, at inContextPositions(its tokens). Empty for short
/// texts, without logits, and for encoders, which do not predict the next token.
std::optional<InContextScore> inContextScore(const Trace& trace, const ModelConfig& config);

} // namespace headscope
