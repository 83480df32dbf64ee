#pragma once

#include "core/analysis/scores/head_table.h"
#include "core/analysis/scores/pattern_scores.h"

#include <span>
#include <vector>

namespace headscope {

/// What a text repeats, found once for all heads.
struct TextRepeats
{
    std::vector<std::vector<int>> copies; ///< of each token: where it stood before, rising
    std::int64_t repeated = 0;            ///< tokens that have a copy before them

    explicit TextRepeats(std::span<const TokenId> ids);
};

/// Weights of a pattern on earlier copies and on what followed them, summed over the text; NaN
/// without any repeat: there is nothing to copy.
struct CopyWeights
{
    double onCopies;
    double after;
    double afterAbove; ///< of weights from HeadScoreOptions::inductionThreshold on
    double apart;      ///< sum|A - P|, P the map of an ideal induction head
};

/// A pattern with what its scores are made of, found once for all of them.
struct ScoredPattern
{
    /// Of a text on itself, [n, n].
    ScoredPattern(TensorView pattern, const TextRepeats& textRepeats,
                  const HeadScoreOptions& scoreOptions, bool looksAhead);

    /// Of one text on another, [n, m]: entropies alone.
    explicit ScoredPattern(TensorView pattern);

    double ofAll(double weight) const; ///< as a share of all attention

    TensorView view;
    HeadScoreOptions options;
    PatternEntropy entropy;
    const TextRepeats* repeats = nullptr;
    Distance distance;
    CopyWeights copies{};
    std::int64_t rounds = 0; ///< of HeadScoreOptions::period tokens
};

/// All scores of one square pattern.
HeadScoreTable::Row scoreSquare(TensorView pattern, const TextRepeats& repeats,
                                const HeadScoreOptions& options, bool looksAhead);

/// Of a pattern of one text on another: entropies, first token, sink.
HeadScoreTable::Row scoreCross(TensorView pattern);

/// Of a head that gives all keys it may see the same.
HeadScoreTable::Row scoreEvenHead(std::span<const TokenId> ids, std::int64_t keys,
                                  const HeadScoreOptions& options, bool looksAhead, bool isCross);

/// Every head of the first layer has weight on later tokens.
bool looksAhead(const Trace& trace, AttentionKind attention);

} // namespace headscope
