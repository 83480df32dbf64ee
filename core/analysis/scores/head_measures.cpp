#include "core/analysis/scores/head_measures.h"

#include <cmath>
#include <limits>

namespace headscope {

namespace {

constexpr double kOpen = std::numeric_limits<double>::infinity();

using enum HeadScoreNeeds;

constexpr std::array<HeadScoreInfo, kHeadScores> kInfos = {{
    {HeadScore::Entropy, "entropy", "Entropy", "entropy", "nats",
     "How widely it looks: -sum A ln A of each row, mean over the rows.",
     "Vig & Belinkov 2019; Clark et al. 2019", 0.0, kOpen, Text},
    {HeadScore::NormalisedEntropy, "normalised_entropy", "Entropy, normalised", "norm. H", "share",
     "How evenly it looks: 0 at one token, 1 at all alike.",
     "entropy divided by that of an even row", 0.0, 1.0, Text},
    {HeadScore::PreviousToken, "previous_token", "Previous token", "previous", "share",
     "Weight on the token just before, mean over the text.", "HeadVis", 0.0, 1.0, Text},
    {HeadScore::PreviousTokenFraction, "previous_token_fraction", "Previous token, of all",
     "prev. %", "share", "Share of all attention that falls on the token just before.",
     "TransformerLens head detector, mul", 0.0, 1.0, Text},
    {HeadScore::Self, "self", "Itself", "self", "share",
     "Weight on the token that looks, mean over the text.", "HeadVis", 0.0, 1.0, Text},
    {HeadScore::FirstToken, "first_token", "First token", "first", "share",
     "Weight on the very first token, mean over the later ones.", "Vig & Belinkov 2019", 0.0, 1.0,
     Text},
    {HeadScore::Sink, "sink", "Sink", "sink", "share",
     "Weight on the very first token, mean over all tokens: a sink above 0.3.", "Gu et al. 2024",
     0.0, 1.0, Text},
    {HeadScore::DuplicateFraction, "duplicate_fraction", "Duplicate, of all", "duplicate", "share",
     "Share of all attention that falls on earlier copies of the token that looks.",
     "TransformerLens head detector, mul", 0.0, 1.0, Text},
    {HeadScore::DuplicateStripe, "duplicate_stripe", "Duplicate", "dup. rep.", "share",
     "Weight on the earlier copy, mean over the second round of random tokens.", "TransformerLens",
     0.0, 1.0, RandomRepeats},
    {HeadScore::InductionStripe, "induction_stripe", "Induction", "ind. rep.", "share",
     "Weight on the token right after the earlier copy, mean over the second round of random "
     "tokens.",
     "TransformerLens", 0.0, 1.0, RandomRepeats},
    {HeadScore::InductionFraction, "induction_fraction", "Induction, of all", "ind. %", "share",
     "Share of all attention that falls on tokens right after an earlier copy.",
     "TransformerLens head detector, mul", 0.0, 1.0, Text},
    {HeadScore::InductionMatch, "induction_match", "Induction, match", "ind. abs", "at most 1",
     "How little the map differs from that of an ideal induction head: 1 - n mean|A - P|.",
     "TransformerLens head detector, abs", -kOpen, 1.0, Text},
    {HeadScore::InductionOnText, "induction_on_text", "Induction on text", "ind. text", "share",
     "Weight on tokens right after earlier copies, per token that has a copy; several may add up.",
     "HeadVis", 0.0, 1.0, Text},
    {HeadScore::PrefixMatching, "prefix_matching", "Prefix matching", "prefix", "share",
     "Weight on the tokens that followed earlier copies, on 25 random tokens said four times.",
     "Olsson et al. 2022", 0.0, 1.0, RandomRepeats},
    {HeadScore::Distance, "distance", "Distance", "distance", "tokens",
     "How far away it looks on average, in tokens.", "Vig & Belinkov 2019", 0.0, kOpen, Text},
    {HeadScore::DistanceVariance, "distance_variance", "Distance, variance", "dist. var",
     "tokens\u00B2", "How much that distance varies.", "HeadVis", 0.0, kOpen, Text},
    {HeadScore::Variability, "variability", "Variability", "variation", "share",
     "How much its map changes from text to text: 0 by position alone, 1 by content alone.",
     "Vig & Belinkov 2019", 0.0, 1.0, Samples},
    {HeadScore::Copying, "copying", "Copying (OV)", "copying", "-1 to 1",
     "Of its weights alone: 1 when what it reads makes the same token more likely.",
     "Elhage et al. 2021", -1.0, 1.0, Weights},
}};

struct OldKey
{
    std::string_view key;
    HeadScore score;
};

/// Of session files, figures and `headscope inspect` of earlier versions.
constexpr OldKey kOldKeys[] = {{"induction", HeadScore::InductionOnText},
                               {"duplicate", HeadScore::DuplicateFraction},
                               {"duplicate_token", HeadScore::DuplicateFraction},
                               {"previous", HeadScore::PreviousToken},
                               {"first", HeadScore::FirstToken},
                               {"entropy_normalised", HeadScore::NormalisedEntropy}};

} // namespace

const std::array<HeadScoreInfo, kHeadScores>& headScoreInfos()
{
    return kInfos;
}

const HeadScoreInfo& infoOf(HeadScore score)
{
    return kInfos.at(static_cast<std::size_t>(score));
}

std::optional<HeadScore> headScoreNamed(std::string_view key)
{
    for (const HeadScoreInfo& info : kInfos)
        if (info.key == key)
            return info.score;
    for (const OldKey& old : kOldKeys)
        if (old.key == key)
            return old.score;
    return std::nullopt;
}

double inBits(double nats)
{
    return nats / std::log(2.0);
}

} // namespace headscope
