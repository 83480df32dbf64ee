#pragma once

#include "core/generate/generator.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace headscope {

struct BeamSettings
{
    int beams = 4;               ///< K; each step looks at the 2 K best continuations
    std::int64_t maxTokens = 50; ///< new tokens at most
    double lengthPenalty = 1.0;  ///< above 0 favours long hypotheses, below 0 short ones
    double repetitionPenalty = 1.0;
    std::optional<TokenId> endOfText; ///< finishes a hypothesis; none: all run to the end
};

/// Throws Error naming the first setting out of its range, its value and the nearest valid one.
void validate(const BeamSettings& settings);

/// One continuation that a step looked at.
struct BeamNode
{
    enum class Fate {
        Kept,     ///< goes on as one of the K beams
        Pruned,   ///< others were better
        Finished, ///< became a hypothesis
    };

    TokenId token = 0;
    int parent = -1; ///< index of the node that it continues; -1: the prompt
    int step = 0;
    double logProbability = 0.0; ///< ln p of the token (times the repetition penalty)
    double sum = 0.0;            ///< of all tokens from the prompt to here
    Fate fate = Fate::Pruned;
};

struct BeamHypothesis
{
    std::vector<TokenId> ids; ///< prompt and new tokens, the end-of-text token included
    std::int64_t newTokens = 0;
    double sum = 0.0;   ///< of ln p
    double score = 0.0; ///< sum / newTokens^lengthPenalty
    int node = -1;      ///< of its last token
    bool endOfText = false;
};

struct BeamSearch
{
    std::vector<BeamHypothesis> hypotheses; ///< best first, K at most
    std::vector<BeamNode> nodes;            ///< step by step, within a step by falling sum
    GenerationEnd end = GenerationEnd::MaxTokens;

    int steps() const { return nodes.empty() ? 0 : nodes.back().step + 1; }

    std::span<const BeamNode> candidates(int step) const; ///< what this step looked at
    std::vector<TokenId> tokensTo(int node) const;        ///< new tokens from the prompt to there
};

/// Beam search as in Hugging Face transformers with early_stopping=False. Of the 2 K continuations
/// with the largest sum of log-probabilities, those among the first K that end the text become
/// hypotheses, and the K best of the others go on. Ends when K hypotheses are there and the best
/// beam, were it finished now, would score no higher than the worst of them (end: EndOfText), or
/// with maxTokens or max_len, where every beam counts as finished. `start` is where each beam's
/// state comes from. Throws Cancelled when `stop` asks.
BeamSearch beamSearch(const DecodingState& start, std::span<const TokenId> prompt,
                      const BeamSettings& settings,
                      const std::function<void(std::span<const BeamNode>)>& onStep = {},
                      const std::stop_token& stop = {});

} // namespace headscope
