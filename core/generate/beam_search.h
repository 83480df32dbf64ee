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
    int beams = 4;               ///< K; each step considers the 2 K best continuations.
    std::int64_t maxTokens = 50; ///< Maximum number of new tokens.
    double lengthPenalty = 1.0;  ///< Above 0 favours long hypotheses, below 0 short ones.
    double repetitionPenalty = 1.0;
    /// Finishes a hypothesis; empty: all continue to the maximum.
    std::optional<TokenId> endOfText;
};

/// Throws Error naming the first setting out of its range, its value and the nearest valid one.
void validate(const BeamSettings& settings);

/// One continuation considered by a step.
struct BeamNode
{
    enum class Fate {
        Kept,     ///< Continued as one of the K beams.
        Pruned,   ///< Dropped, because others were better.
        Finished, ///< Became a hypothesis.
    };

    TokenId token = 0;
    int parent = -1; ///< Index of the node that it continues; -1: the prompt.
    int step = 0;
    double logProbability = 0.0; ///< Log-probability of the token (times the repetition penalty).
    double sum = 0.0;            ///< Sum over all tokens from the prompt to here.
    Fate fate = Fate::Pruned;
};

struct BeamHypothesis
{
    std::vector<TokenId> ids; ///< Prompt and new tokens, including the end-of-text token.
    std::int64_t newTokens = 0;
    double sum = 0.0;   ///< Sum of log-probabilities.
    double score = 0.0; ///< Sum / newTokens^lengthPenalty.
    int node = -1;      ///< Node of its last token.
    bool endOfText = false;
};

struct BeamSearch
{
    std::vector<BeamHypothesis> hypotheses; ///< Best first, at most K.
    std::vector<BeamNode> nodes;            ///< Step by step, by decreasing sum within a step.
    GenerationEnd end = GenerationEnd::MaxTokens;

    int steps() const { return nodes.empty() ? 0 : nodes.back().step + 1; }

    /// Continuations considered by this step.
    std::span<const BeamNode> candidates(int step) const;
    std::vector<TokenId> tokensTo(int node) const; ///< New tokens from the prompt to that node.
};

/// Beam search as in Hugging Face transformers with early_stopping=False. Of the 2 K continuations
/// with the largest sum of log-probabilities, those among the first K that end the text become
/// hypotheses, and the K best of the others continue. Ends when there are K hypotheses and the best
/// beam, were it finished now, would score no higher than the worst of them (end: EndOfText), or at
/// maxTokens or max_len, where every beam counts as finished. `start` provides each beam's state.
/// Throws Cancelled when `stop` requests it.
BeamSearch beamSearch(const DecodingState& start, std::span<const TokenId> prompt,
                      const BeamSettings& settings,
                      const std::function<void(std::span<const BeamNode>)>& onStep = {},
                      const std::stop_token& stop = {});

} // namespace headscope
