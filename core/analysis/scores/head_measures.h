#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace headscope {

/// What a table of heads holds: metrics of one head each, every convention under its own name. The
/// first rows of headScoreInfos() have names here; a score that no code asks for needs none.
enum class HeadScore {
    Entropy,               ///< nats
    NormalisedEntropy,     ///< share of the largest possible
    PreviousToken,         ///< mean over i >= 1 of A[i, i - 1]
    PreviousTokenFraction, ///< the same as a share of all attention
    Self,                  ///< mean of A[i, i]
    FirstToken,            ///< mean over i >= 1 of A[i, 0]
    Sink,                  ///< alpha_0: mean over all i of A[i, 0]
    DuplicateFraction,     ///< share of all attention on earlier copies
    DuplicateStripe,       ///< on random repeats: mean weight of the copy
    InductionStripe,       ///< on random repeats: mean weight of the token after the copy
    InductionFraction,     ///< share of all attention on tokens after copies
    InductionMatch,        ///< 1 - n mean|A - P|
    InductionOnText,       ///< per query with an earlier copy, weights from 0.01
    PrefixMatching,        ///< on 25 random tokens said four times
    Distance,              ///< tokens
    DistanceVariance,      ///< tokens squared
    Variability,           ///< over the sample texts: 0 position alone, 1 content alone
    Copying                ///< of the weights: sum(lambda) / sum|lambda|
};

/// What a score needs to be measured on.
enum class HeadScoreNeeds { Text, RandomRepeats, Samples, Weights };

struct ScoredPattern;

/// One number of one pattern; NaN where it is not defined.
using HeadMeasure = double (*)(const ScoredPattern& pattern);

struct HeadScoreInfo
{
    std::string_view key;     ///< stable: for files and options
    std::string_view title;   ///< "Previous token"; the window translates it
    std::string_view column;  ///< the title in nine letters, for columns of plain text
    std::string_view unit;    ///< "share", "nats", "tokens", "tokens²", "-1 to 1"
    std::string_view meaning; ///< one sentence; translated as well
    std::string_view source;  ///< who defined it
    double low;
    double high; ///< infinity: open
    HeadScoreNeeds needs;
    HeadMeasure measure = nullptr;      ///< of a text on itself; null: not read off one pattern
    HeadMeasure measureCross = nullptr; ///< of one text on another; null: not defined there
    HeadScore score = HeadScore{};      ///< its place in the table
};

std::span<const HeadScoreInfo> headScoreInfos(); ///< all there are
const HeadScoreInfo& infoOf(HeadScore score);

/// By its key; the names that earlier versions wrote and printed are known too ("induction",
/// "previous").
std::optional<HeadScore> headScoreNamed(std::string_view key);

/// alpha_0 above it: an attention sink (Gu et al. 2024).
constexpr double kSinkThreshold = 0.3;

/// Nats to bits.
double inBits(double nats);

} // namespace headscope
