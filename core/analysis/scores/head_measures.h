#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace headscope {

/// Scores of single heads, every convention under its own name. The first rows of headScoreInfos()
/// have names here; a score that no code refers to needs none.
enum class HeadScore {
    Entropy,               ///< Nats.
    NormalisedEntropy,     ///< Fraction of the largest possible entropy.
    PreviousToken,         ///< Mean over i >= 1 of A[i, i - 1].
    PreviousTokenFraction, ///< Fraction of all attention on the previous token.
    Self,                  ///< Mean of A[i, i].
    FirstToken,            ///< Mean over i >= 1 of A[i, 0].
    Sink,                  ///< alpha_0: mean over all i of A[i, 0].
    DuplicateFraction,     ///< Fraction of all attention on earlier copies.
    DuplicateStripe,       ///< On random repeats: mean weight of the copy.
    InductionStripe,       ///< On random repeats: mean weight of the token after the copy.
    InductionFraction,     ///< Fraction of all attention on tokens after copies.
    InductionMatch,        ///< 1 - n mean|A - P|.
    InductionOnText,       ///< Per query with an earlier copy, weights from 0.01.
    PrefixMatching,        ///< On 25 random tokens repeated four times.
    Distance,              ///< Tokens.
    DistanceVariance,      ///< Tokens squared.
    Variability,           ///< Over the sample texts: 0 position alone, 1 content alone.
    Copying,               ///< From the weights: sum(lambda) / sum|lambda|.
    Retrieval              ///< Fraction of a repeated span's tokens that are copied by argmax.
};

/// Data that a score is measured on.
enum class HeadScoreNeeds { Text, RandomRepeats, Samples, Weights };

struct ScoredPattern;

/// One number of one pattern; NaN where it is not defined.
using HeadMeasure = double (*)(const ScoredPattern& pattern);

struct HeadScoreInfo
{
    std::string_view key;     ///< Stable key for files and options.
    std::string_view title;   ///< For example "Previous token"; the window translates it.
    std::string_view column;  ///< The title in nine letters, for columns of plain text.
    std::string_view unit;    ///< For example "share", "nats", "tokens", "tokens²", "-1 to 1".
    std::string_view meaning; ///< One sentence; translated as well.
    std::string_view source;  ///< Publication or program that defines the score.
    double low;
    double high; ///< Upper bound; infinity: unbounded.
    HeadScoreNeeds needs;
    /// Measure for a text that attends to itself; null: not computed from one pattern.
    HeadMeasure measure = nullptr;
    HeadMeasure measureCross = nullptr; ///< Measure for cross-attention; null: not defined there.
    HeadScore score = HeadScore{};      ///< Index in the list.
};

std::span<const HeadScoreInfo> headScoreInfos(); ///< All scores.
const HeadScoreInfo& infoOf(HeadScore score);

/// Finds a score by its key; the names written and printed by earlier versions are known too
/// ("induction", "previous").
std::optional<HeadScore> headScoreNamed(std::string_view key);

/// Threshold of alpha_0 for an attention sink (Gu et al. 2024).
constexpr double kSinkThreshold = 0.3;

/// Converts nats to bits.
double inBits(double nats);

} // namespace headscope
