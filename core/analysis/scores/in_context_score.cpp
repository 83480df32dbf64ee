#include "core/analysis/scores/in_context_score.h"

#include "core/analysis/lens/next_token.h"
#include "core/base/error.h"

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr InContextPositions kPaper{50, 500};

/// Loss of the token at `position`.
double lossAt(const std::vector<double>& logProbabilities, std::int64_t position)
{
    return -logProbabilities[static_cast<std::size_t>(position - 1)];
}

} // namespace

std::optional<InContextPositions> inContextPositions(std::int64_t tokens)
{
    if (tokens > kPaper.late)
        return kPaper;
    if (tokens < kFewestInContextTokens)
        return std::nullopt;
    return InContextPositions{tokens / 10, tokens - 1};
}

std::optional<InContextScore> inContextScore(std::span<const std::vector<double>> logProbabilities,
                                             InContextPositions positions)
{
    if (positions.early < 1 || positions.late <= positions.early)
        throw ShapeError(fmt::format("positions {} and {}", positions.early, positions.late),
                         "in-context-learning score",
                         "Give an early position from 1 on and a later one");
    InContextScore score;
    score.positions = positions;
    for (const std::vector<double>& text : logProbabilities) {
        if (static_cast<std::int64_t>(text.size()) < positions.late)
            continue;
        score.earlyLoss += lossAt(text, positions.early);
        score.lateLoss += lossAt(text, positions.late);
        ++score.texts;
    }
    if (score.texts == 0)
        return std::nullopt;
    score.earlyLoss /= static_cast<double>(score.texts);
    score.lateLoss /= static_cast<double>(score.texts);
    return score;
}

std::optional<InContextScore> inContextScore(const Trace& trace, const ModelConfig& config)
{
    if (!config.hasDecoder())
        return std::nullopt;
    const auto positions = inContextPositions(static_cast<std::int64_t>(trace.tokens().size()));
    const std::vector<std::vector<double>> texts{logProbabilities(trace)};
    return positions ? inContextScore(texts, *positions) : std::nullopt;
}

} // namespace headscope
