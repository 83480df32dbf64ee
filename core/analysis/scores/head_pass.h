#pragma once

#include "core/analysis/scores/head_table.h"
#include "core/analysis/scores/needle.h"
#include "core/analysis/scores/pattern_scores.h"

#include <span>
#include <vector>

namespace headscope {

/// Repetitions of a text, found once for all heads.
struct TextRepeats
{
    std::vector<std::vector<int>> copies; ///< Earlier positions of each token, ascending.
    std::int64_t repeated = 0;            ///< Number of tokens with an earlier copy.
    std::optional<Needle> needle;         ///< Longest span that the text repeats.

    explicit TextRepeats(std::span<const TokenId> ids);

    /// Special tokens and those of a chat's template are no part of the needle.
    explicit TextRepeats(const TokenSequence& tokens);
};

/// Weights of a pattern on earlier copies and on the tokens after them, summed over the text; NaN
/// without any repetition: there is nothing to copy.
struct CopyWeights
{
    double onCopies;
    double after;
    double afterAbove; ///< Sum of weights from HeadScoreOptions::inductionThreshold on.
    double apart;      ///< sum|A - P|, P the pattern of an ideal induction head.
};

/// A pattern with the data of its scores, computed once for all of them.
struct ScoredPattern
{
    /// Pattern [n, n] of a text that attends to itself.
    ScoredPattern(TensorView pattern, const TextRepeats& textRepeats,
                  const HeadScoreOptions& scoreOptions, bool seesAhead);

    /// Pattern [n, m] of cross-attention: entropies only.
    explicit ScoredPattern(TensorView pattern);

    double ofAll(double weight) const; ///< As a fraction of all attention.

    TensorView view;
    HeadScoreOptions options;
    PatternEntropy entropy;
    const TextRepeats* repeats = nullptr;
    Distance distance;
    CopyWeights copies{};
    std::int64_t rounds = 0; ///< Number of rounds of HeadScoreOptions::period tokens.
};

/// All scores of one square pattern.
HeadScoreTable::Row scoreSquare(TensorView pattern, const TextRepeats& repeats,
                                const HeadScoreOptions& options, bool seesAhead);

/// Scores of a cross-attention pattern: entropies, first token, sink.
HeadScoreTable::Row scoreCross(TensorView pattern);

/// Scores of uniform attention over all visible keys.
HeadScoreTable::Row scoreEvenHead(std::span<const TokenId> ids, std::int64_t keys,
                                  const HeadScoreOptions& options, bool seesAhead, bool isCross);

/// True in an encoder, and if most heads of the first traced layer have weight on later tokens:
/// single heads may attend to earlier tokens alone, or be edited.
bool seesAhead(const Trace& trace, AttentionKind attention);

} // namespace headscope
