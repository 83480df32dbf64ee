#include "core/analysis/scores/head_measures.h"

#include "core/analysis/scores/head_pass.h"
#include "core/analysis/scores/undefined.h"
#include "core/base/translatable.h"

#include <cmath>
#include <limits>
#include <vector>

namespace headscope {

namespace {

constexpr double kOpen = std::numeric_limits<double>::infinity();

using enum HeadScoreNeeds;

using Pattern = const ScoredPattern&;

double sink(Pattern p)
{
    return p.view.shape[1] < 2 ? kUndefined : sinkMass(p.view);
}

/// Mean over the tokens from the second round on of the weight on all tokens that followed their
/// copies.
double prefixMatching(Pattern p)
{
    if (p.rounds < 4)
        return kUndefined;
    const std::int64_t first = p.options.prefix + p.options.period;
    double sum = 0.0;
    for (std::int64_t query = first; query < p.view.shape[0]; ++query)
        for (std::int64_t copy = query - p.options.period; copy >= p.options.prefix;
             copy -= p.options.period)
            sum += static_cast<double>(p.view(query, copy + 1));
    return sum / static_cast<double>(p.view.shape[0] - first);
}

/// Named scores in their order, then any others.
constexpr HeadScoreInfo kRows[] = {
    {"entropy", translatable("Heads", "Entropy"), "entropy", "nats",
     translatable("Heads", "Spread of attention: -sum A ln A of each row, mean over the rows."),
     "Vig & Belinkov 2019; Clark et al. 2019", 0.0, kOpen, Text,
     [](Pattern p) { return p.entropy.mean; }, [](Pattern p) { return p.entropy.mean; }},
    {"normalised_entropy", translatable("Heads", "Entropy, normalised"), "norm. H", "share",
     translatable("Heads", "Uniformity of attention: 0 on a single token, 1 uniform."),
     "entropy divided by that of uniform attention", 0.0, 1.0, Text,
     [](Pattern p) { return p.entropy.normalised; },
     [](Pattern p) { return p.entropy.normalised; }},
    {"previous_token", translatable("Heads", "Previous token"), "previous", "share",
     translatable("Heads", "Weight on the previous token, mean over the text."), "HeadVis", 0.0,
     1.0, Text, [](Pattern p) { return previousTokenScore(p.view); }},
    {"previous_token_fraction", translatable("Heads", "Previous token, of all"), "prev. %", "share",
     translatable("Heads", "Fraction of all attention on the previous token."),
     "TransformerLens head detector, mul", 0.0, 1.0, Text,
     [](Pattern p) {
         return p.ofAll(previousTokenScore(p.view) * static_cast<double>(p.view.shape[0] - 1));
     }},
    {"self", translatable("Heads", "Itself"), "self", "share",
     translatable("Heads", "Weight of each token on itself, mean over the text."), "HeadVis", 0.0,
     1.0, Text, [](Pattern p) { return selfScore(p.view); }},
    {"first_token", translatable("Heads", "First token"), "first", "share",
     translatable("Heads", "Weight on the first token, mean over the later ones."),
     "Vig & Belinkov 2019", 0.0, 1.0, Text, [](Pattern p) { return firstTokenMass(p.view); }, sink},
    {"sink", translatable("Heads", "Sink"), "sink", "share",
     translatable("Heads", "Weight on the first token, mean over all tokens: a sink above 0.3."),
     "Gu et al. 2024", 0.0, 1.0, Text, sink, sink},
    {"duplicate_fraction", translatable("Heads", "Duplicate, of all"), "duplicate", "share",
     translatable("Heads", "Fraction of all attention on earlier copies of the query token."),
     "TransformerLens head detector, mul", 0.0, 1.0, Text,
     [](Pattern p) { return p.ofAll(p.copies.onCopies); }},
    {"duplicate_stripe", translatable("Heads", "Duplicate"), "dup. rep.", "share",
     translatable("Heads",
                  "Weight on the earlier copy, mean over the second round of random tokens."),
     "TransformerLens", 0.0, 1.0, RandomRepeats,
     [](Pattern p) {
         return p.rounds < 2 ? kUndefined
                             : duplicateStripe(p.view, p.options.period, p.options.prefix);
     }},
    {"induction_stripe", translatable("Heads", "Induction"), "ind. rep.", "share",
     translatable(
         "Heads",
         "Weight on the token after the earlier copy, mean over the second round of random "
         "tokens."),
     "TransformerLens", 0.0, 1.0, RandomRepeats,
     [](Pattern p) {
         return p.rounds < 2 ? kUndefined
                             : inductionStripe(p.view, p.options.period, p.options.prefix);
     }},
    {"induction_fraction", translatable("Heads", "Induction, of all"), "ind. %", "share",
     translatable("Heads", "Fraction of all attention on tokens after an earlier copy."),
     "TransformerLens head detector, mul", 0.0, 1.0, Text,
     [](Pattern p) { return p.ofAll(p.copies.after); }},
    {"induction_match", translatable("Heads", "Induction, match"), "ind. abs", "at most 1",
     translatable(
         "Heads",
         "Similarity of the pattern to that of an ideal induction head: 1 - n mean|A - P|."),
     "TransformerLens head detector, abs", -kOpen, 1.0, Text,
     [](Pattern p) { return 1.0 - p.copies.apart / static_cast<double>(p.view.shape[0]); }},
    {"induction_on_text", translatable("Heads", "Induction on text"), "ind. text", "share",
     translatable("Heads",
                  "Weight on tokens after earlier copies, per token that has a copy; several "
                  "may add up."),
     "HeadVis", 0.0, 1.0, Text,
     [](Pattern p) { return p.copies.afterAbove / static_cast<double>(p.repeats->repeated); }},
    {"prefix_matching", translatable("Heads", "Prefix matching"), "prefix", "share",
     translatable("Heads",
                  "Weight on the tokens that followed earlier copies, on 25 random tokens repeated "
                  "four times."),
     "Olsson et al. 2022", 0.0, 1.0, RandomRepeats, prefixMatching},
    {"distance", translatable("Heads", "Distance"), "distance", "tokens",
     translatable("Heads", "Mean distance between query and key, in tokens."),
     "Vig & Belinkov 2019", 0.0, kOpen, Text, [](Pattern p) { return p.distance.mean; }},
    {"distance_variance", translatable("Heads", "Distance, variance"), "dist. var", "tokens\u00B2",
     translatable("Heads", "Variance of the distance between query and key."), "HeadVis", 0.0,
     kOpen, Text, [](Pattern p) { return p.distance.variance; }},
    {"variability", translatable("Heads", "Variability"), "variation", "share",
     translatable(
         "Heads",
         "Change of the pattern from text to text: 0 by position alone, 1 by content alone."),
     "Vig & Belinkov 2019", 0.0, 1.0, Samples},
    {"copying", translatable("Heads", "Copying (OV)"), "copying", "-1 to 1",
     translatable("Heads", "From the weights alone: 1 if attending to a token makes the same token "
                           "more likely."),
     "Elhage et al. 2021", -1.0, 1.0, Weights},
    {"retrieval", translatable("Heads", "Retrieval"), "retrieval", "share",
     translatable("Heads", "Fraction of the tokens of the longest repeated span that the head "
                           "attends to most where the text copies them."),
     "Wu et al. 2024", 0.0, 1.0, Text,
     [](Pattern p) {
         return p.repeats->needle ? retrievalScore(p.view, *p.repeats->needle) : kUndefined;
     }},
};

std::vector<HeadScoreInfo> numbered()
{
    std::vector<HeadScoreInfo> infos(std::begin(kRows), std::end(kRows));
    for (std::size_t index = 0; index < infos.size(); ++index)
        infos[index].score = static_cast<HeadScore>(index);
    return infos;
}

struct OldKey
{
    std::string_view key;
    HeadScore score;
};

/// Keys in session files, figures and `headscope inspect` of earlier versions.
constexpr OldKey kOldKeys[] = {{"induction", HeadScore::InductionOnText},
                               {"duplicate", HeadScore::DuplicateFraction},
                               {"duplicate_token", HeadScore::DuplicateFraction},
                               {"previous", HeadScore::PreviousToken},
                               {"first", HeadScore::FirstToken},
                               {"entropy_normalised", HeadScore::NormalisedEntropy}};

} // namespace

std::span<const HeadScoreInfo> headScoreInfos()
{
    static const std::vector<HeadScoreInfo> kInfos = numbered();
    return kInfos;
}

const HeadScoreInfo& infoOf(HeadScore score)
{
    return headScoreInfos()[static_cast<std::size_t>(score)];
}

std::optional<HeadScore> headScoreNamed(std::string_view key)
{
    for (const HeadScoreInfo& info : headScoreInfos())
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
