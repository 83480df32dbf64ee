#include "core/analysis/labels/head_labels.h"

#include "core/analysis/labels/label_evidence.h"
#include "core/analysis/scores/head_pass.h"
#include "core/analysis/scores/undefined.h"
#include "core/base/stop.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr double kTimesEven = 2.0;
constexpr double kTimesSameDistance = 2.0;
constexpr double kTimesContrast = 1.5;
constexpr double kUsualPlace = 0.3; // Weight of a positional head.
constexpr std::int64_t kFewestRepeats = 3;
const std::string kEven = "uniform attention";

using Row = HeadScoreTable::Row;

double in(const Row& row, HeadScore score)
{
    return row[static_cast<std::size_t>(score)];
}

/// Scores of uniform attention: the mean over texts, each score where it is defined.
Row evenHead(const std::vector<EvidenceText>& texts, AttentionKind attention)
{
    Row sums(headScoreInfos().size());
    Row counts(sums.size());
    for (const EvidenceText& text : texts) {
        const std::vector<TokenId> ids = text.trace->queryTokens(attention).ids();
        const auto keys = static_cast<std::int64_t>(text.trace->keyTokens(attention).tokens.size());
        HeadScoreOptions options;
        options.period = text.period;
        const Row row = scoreEvenHead(ids, keys, options, seesAhead(*text.trace, attention),
                                      attention == AttentionKind::Cross);
        for (std::size_t score = 0; score < sums.size(); ++score)
            if (!std::isnan(row[score])) {
                sums[score] += row[score];
                counts[score] += 1.0;
            }
    }
    for (std::size_t score = 0; score < sums.size(); ++score)
        sums[score] = counts[score] > 0.0 ? sums[score] / counts[score] : kUndefined;
    return sums;
}

/// One or several texts with the scores measured on them.
struct Measured
{
    const HeadScoreTable* table = nullptr;
    std::vector<EvidenceText> texts;
    std::string on;
    bool isOwnText = false;
    Row even = Row(headScoreInfos().size());
};

/// Labels the heads of one attention kind.
class Labeller
{
public:
    AttentionKind attention;
    Measured texts;   ///< Samples, the repeats without samples, or the captured text.
    Measured repeats; ///< Random tokens, repeated, or a captured text that contains repetitions.
    const HeadScoreTable* table = nullptr;
    const HeadSurvey::PairAttentions* attendedPairs = nullptr;
    std::string whyNoPairs;
    std::string whyNoRepeats;
    /// Number of repeated tokens of a captured text; -1: random repeats.
    std::int64_t repeatedTokens = -1;

    HeadLabelTable run(const std::stop_token& stop)
    {
        HeadLabelTable result;
        result.layers = table->layers;
        result.heads = table->heads;
        sayWhatIsNotMeasured(result);
        for (int layer = 0; layer < table->layers; ++layer)
            for (int head = 0; head < table->heads; ++head) {
                throwIfStopped(stop);
                result.labels.push_back(labelsOf({attention, layer, head}));
            }
        return result;
    }

private:
    std::vector<HeadLabel> labelsOf(HeadId head) const
    {
        std::vector<HeadLabel> labels;
        for (const LabelRule& rule : labelRules())
            if (auto label = tryLabel(rule.kind, head))
                labels.push_back(std::move(*label));
        return labels;
    }

    std::optional<HeadLabel> tryLabel(HeadLabelKind kind, HeadId head) const
    {
        switch (kind) {
        case HeadLabelKind::PreviousToken:
            return byFraction(kind, head, texts, HeadScore::PreviousToken);
        case HeadLabelKind::Induction:
            return copyLabel(kind, head, HeadScore::InductionStripe);
        case HeadLabelKind::DuplicateToken:
            return copyLabel(kind, head, HeadScore::DuplicateStripe);
        case HeadLabelKind::FirstTokenSink:
            return byFraction(kind, head, texts, HeadScore::Sink);
        case HeadLabelKind::Positional:
            return positional(head);
        case HeadLabelKind::Broad:
            return byFraction(kind, head, texts, HeadScore::NormalisedEntropy);
        case HeadLabelKind::SyntaxLike:
            return byPairs(kind, head, PairKind::SubjectVerb);
        case HeadLabelKind::CoreferenceLike:
            return byPairs(kind, head, PairKind::Coreference);
        case HeadLabelKind::Copying:
            break;
        }
        return copying(head);
    }

    std::optional<HeadLabel> byFraction(HeadLabelKind kind, HeadId head, const Measured& measured,
                                        HeadScore score) const
    {
        if (!measured.table)
            return {};
        const double value = measured.table->at(head, score);
        const double even = in(measured.even, score);
        const bool stands =
            kind == HeadLabelKind::Broad || std::isnan(even) || value >= kTimesEven * even;
        if (!(value >= ruleOf(kind).threshold) || !stands)
            return {};
        HeadLabel label = made(kind, measured, head);
        label.measures.push_back(evenMeasure(infoOf(score).title, value, even));
        label.measures.push_back(medianMeasure(score, *measured.table, head));
        return finished(std::move(label));
    }

    std::optional<HeadLabel> copyLabel(HeadLabelKind kind, HeadId head, HeadScore stripe) const
    {
        if (repeatedTokens < 0)
            return byFraction(kind, head, repeats, stripe);
        if (repeatedTokens < kFewestRepeats)
            return {};
        const bool isInduction = kind == HeadLabelKind::Induction;
        const HeadScore score =
            isInduction ? HeadScore::InductionFraction : HeadScore::DuplicateFraction;
        const double perRepeat =
            static_cast<double>(repeats.texts.front().trace->queryTokens(attention).size()) /
            static_cast<double>(repeatedTokens);
        const double value = repeats.table->at(head, score) * perRepeat;
        const double even = in(repeats.even, score) * perRepeat;
        if (!(value >= ruleOf(kind).threshold) || !(value >= kTimesEven * even))
            return {};
        HeadLabel label = made(kind, repeats, head);
        label.measures.push_back(evenMeasure(isInduction ? "Weight after copies, per repeated token"
                                                         : "Weight on copies, per repeated token",
                                             value, even));
        return finished(std::move(label));
    }

    std::optional<HeadLabel> positional(HeadId head) const
    {
        const double value = table->at(head, HeadScore::Variability);
        if (!(value <= ruleOf(HeadLabelKind::Positional).threshold))
            return {};
        const UsualPlace usual = usualPlace(texts.texts, head);
        const bool rests = table->at(head, HeadScore::FirstToken) >= kSinkThreshold;
        if (usual.weight < kUsualPlace || rests)
            return {};
        HeadLabel label = made(HeadLabelKind::Positional, texts, head);
        label.measures.push_back({std::string(infoOf(HeadScore::Variability).title), value,
                                  table->median(HeadScore::Variability), medianName(*table)});
        label.measures.push_back(
            {fmt::format("Weight on the token {} back", usual.back), usual.weight, kUndefined, {}});
        return finished(std::move(label));
    }

    std::optional<HeadLabel> byPairs(HeadLabelKind kind, HeadId head, PairKind pair) const
    {
        if (!attendedPairs)
            return {};
        const PairAttention& attended =
            attendedPairs->at(static_cast<std::size_t>(head.layer * table->heads + head.head))
                .at(static_cast<std::size_t>(pair));
        const bool stands = !(attended.weight < kTimesSameDistance * attended.sameDistance) &&
                            !(attended.weight < kTimesContrast * attended.contrast);
        if (!(attended.weight >= ruleOf(kind).threshold) || !stands)
            return {};
        HeadLabel label = made(kind, texts, head);
        label.measuredOn = fmt::format("{} marked sentences", attended.pairs);
        const bool isVerb = pair == PairKind::SubjectVerb;
        label.measures.push_back({isVerb ? "From verb to subject" : "From pronoun to its noun",
                                  attended.weight, attended.sameDistance,
                                  "the same head at equal distance elsewhere"});
        label.measures.push_back({"To the other noun", attended.contrast, kUndefined, {}});
        return finished(std::move(label));
    }

    std::optional<HeadLabel> copying(HeadId head) const
    {
        const double value = table->at(head, HeadScore::Copying);
        if (!(value >= ruleOf(HeadLabelKind::Copying).threshold))
            return {};
        HeadLabel label;
        label.kind = HeadLabelKind::Copying;
        label.measuredOn = "the weights";
        label.measures.push_back(medianMeasure(HeadScore::Copying, *table, head));
        return finished(std::move(label));
    }

    HeadLabel made(HeadLabelKind kind, const Measured& measured, HeadId head) const
    {
        HeadLabel label;
        label.kind = kind;
        label.measuredOn = measured.on;
        label.isOwnText = measured.isOwnText;
        Evidence evidence = strongestEvidence(kind, measured.texts, head);
        label.text = std::move(evidence.text);
        label.cells = std::move(evidence.cells);
        return label;
    }

    static LabelMeasure evenMeasure(std::string_view name, double value, double even)
    {
        return {std::string(name), value, even, kEven};
    }

    static std::string medianName(const HeadScoreTable& table)
    {
        return fmt::format("median of {} heads", table.layers * table.heads);
    }

    static LabelMeasure medianMeasure(HeadScore score, const HeadScoreTable& table, HeadId head)
    {
        return {std::string(infoOf(score).title), table.at(head, score), table.median(score),
                medianName(table)};
    }

    static HeadLabel finished(HeadLabel label)
    {
        const LabelMeasure& first = label.measures.front();
        label.strength = first.value;
        label.sentence = fmt::format("{}: {:.2f}", ruleOf(label.kind).measure, first.value);
        if (!std::isnan(first.baseline))
            label.sentence += fmt::format(" ({}: {:.2f})", first.baselineName, first.baseline);
        label.sentence += fmt::format(", measured on {}.", label.measuredOn);
        return label;
    }

    void sayWhatIsNotMeasured(HeadLabelTable& result) const
    {
        const auto say = [&result](HeadLabelKind kind, const std::string& why) {
            if (!why.empty())
                result.notMeasured[kind] = why;
        };
        say(HeadLabelKind::PreviousToken, texts.table->why(HeadScore::PreviousToken));
        say(HeadLabelKind::Broad, texts.table->why(HeadScore::NormalisedEntropy));
        say(HeadLabelKind::FirstTokenSink, texts.table->why(HeadScore::Sink));
        say(HeadLabelKind::Induction, whyNoRepeats);
        say(HeadLabelKind::DuplicateToken, whyNoRepeats);
        say(HeadLabelKind::Positional, table->why(HeadScore::Variability));
        say(HeadLabelKind::SyntaxLike, attendedPairs ? std::string() : whyNoPairs);
        say(HeadLabelKind::CoreferenceLike, attendedPairs ? std::string() : whyNoPairs);
        say(HeadLabelKind::Copying, table->why(HeadScore::Copying));
    }
};

const std::string kTwoTexts =
    "Query and key are in different texts, so nothing of one repeats the other.";

std::vector<EvidenceText> sampleTexts(const HeadSurvey& survey)
{
    std::vector<EvidenceText> texts;
    for (const TracePtr& sample : survey.samples)
        texts.push_back({sample, 0, {}});
    for (const PairPosition& pair : survey.pairs)
        texts.at(static_cast<std::size_t>(pair.sample)).pairs.push_back(pair);
    return texts;
}

void useRepeats(Labeller& labeller, const HeadSurvey& survey)
{
    labeller.whyNoRepeats = survey.whyNoRepeats;
    if (survey.repeats) {
        labeller.repeats.table = &survey.repeats->tables.at(labeller.attention);
        labeller.repeats.texts = {{survey.repeats->example, survey.repeats->period, {}}};
        labeller.repeats.on = survey.measuredOn(HeadScore::InductionStripe);
        labeller.repeats.even = evenHead(labeller.repeats.texts, labeller.attention);
    }
    if (labeller.attention == AttentionKind::Cross)
        labeller.whyNoRepeats = kTwoTexts;
}

Labeller labellerOf(const HeadSurvey& survey, AttentionKind attention)
{
    Labeller labeller;
    labeller.attention = attention;
    labeller.table = &survey.tables.at(attention);
    useRepeats(labeller, survey);
    labeller.texts = labeller.repeats;
    if (!survey.samples.empty()) {
        labeller.texts = {labeller.table,
                          sampleTexts(survey),
                          survey.measuredOn(HeadScore::PreviousToken),
                          true,
                          {}};
        labeller.texts.even = evenHead(labeller.texts.texts, attention);
    }
    const auto attendedPairs = survey.attendedPairs.find(attention);
    if (attendedPairs != survey.attendedPairs.end())
        labeller.attendedPairs = &attendedPairs->second;
    labeller.whyNoPairs = attention == AttentionKind::Cross ? kTwoTexts : survey.whyNoSamples;
    return labeller;
}

Labeller labellerOf(const TracePtr& trace, const HeadScoreTable& table, AttentionKind attention)
{
    Labeller labeller;
    labeller.attention = attention;
    labeller.table = &table;
    labeller.texts = {&table, {{trace, 0, {}}}, "this text", false, {}};
    labeller.texts.even = evenHead(labeller.texts.texts, attention);
    labeller.repeats = labeller.texts;
    labeller.repeatedTokens = TextRepeats(trace->queryTokens(attention).ids()).repeated;
    if (attention == AttentionKind::Cross)
        labeller.whyNoRepeats = kTwoTexts;
    else if (labeller.repeatedTokens < kFewestRepeats)
        labeller.whyNoRepeats = "Too few tokens of this text are repeated.";
    labeller.whyNoPairs = "Marked sentences need the model; this is a captured text.";
    return labeller;
}

} // namespace

HeadLabelTables labelHeads(const HeadSurvey& survey, const std::stop_token& stop)
{
    HeadLabelTables labels;
    for (const auto& [attention, table] : survey.tables)
        labels[attention] = labellerOf(survey, attention).run(stop);
    return labels;
}

HeadLabelTables labelHeads(const TracePtr& trace, const HeadScoreTables& tables,
                           const std::stop_token& stop)
{
    HeadLabelTables labels;
    for (const auto& [attention, table] : tables)
        if (trace && !table.isEmpty())
            labels[attention] = labellerOf(trace, table, attention).run(stop);
    return labels;
}

const std::vector<HeadLabel>& HeadLabelTable::at(HeadId head) const
{
    static const std::vector<HeadLabel> kNone;
    if (head.layer < 0 || head.layer >= layers || head.head < 0 || head.head >= heads)
        return kNone;
    return labels[static_cast<std::size_t>(head.layer * heads + head.head)];
}

const HeadLabel* HeadLabelTable::find(HeadId head, HeadLabelKind kind) const
{
    const std::vector<HeadLabel>& all = at(head);
    const auto found = std::ranges::find(all, kind, &HeadLabel::kind);
    return found != all.end() ? &*found : nullptr;
}

int HeadLabelTable::count(HeadLabelKind kind) const
{
    int found = 0;
    for (const std::vector<HeadLabel>& all : labels)
        found +=
            std::ranges::any_of(all, [kind](const HeadLabel& label) { return label.kind == kind; })
                ? 1
                : 0;
    return found;
}

} // namespace headscope
