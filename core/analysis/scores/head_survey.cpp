#include "core/analysis/scores/head_survey.h"

#include "core/analysis/derivation/pair_attentions.h"
#include "core/analysis/heads/head_circuits.h"
#include "core/analysis/scores/attention_variability.h"
#include "core/analysis/scores/undefined.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::size_t kFewestSamples = 4; // With fewer, a mean is not meaningful.
constexpr double kAfterRepeats = 0.4;     // Progress; samples to 0.8, the weights are the rest.
constexpr double kAfterSamples = 0.8;

using ProgressListener = std::function<void(double)>;

std::string& reasonOf(HeadScoreTable& table, HeadScore score)
{
    return table.reasons[static_cast<std::size_t>(score)];
}

void probe(HeadSurvey& survey, const LoadedModel& model, const std::stop_token& stop,
           const ProgressListener& progress)
{
    try {
        survey.repeats = probeRepeats(
            model, stop, [&progress](int done) { progress(kAfterRepeats * done / kProbeSteps); });
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        survey.whyNoRepeats = error.what();
    }
}

TracePtr traceOf(Tracer& tracer, const TokenSequence& tokens, const std::stop_token& stop)
{
    const TraceRequest request{{"*hook_pattern"}};
    tracer.forget(); // sentences begin alike: each is a separate text
    if (tracer.model().model->config().isEncoderDecoder())
        return tracer.trace(SourceAndTarget{tokens, tokens}, request, {}, stop);
    return tracer.trace(tokens, request, {}, stop);
}

/// Traces the samples whose words the model knows, in full.
void traceSamples(HeadSurvey& survey, const LoadedModel& model, const std::stop_token& stop,
                  const ProgressListener& progress)
{
    Tracer tracer(model, std::make_unique<CpuAttention>());
    const std::vector<SampleSentence>& sentences = headSamples();
    for (std::size_t index = 0; index < sentences.size(); ++index) {
        const TokenSequence tokens = model.tokenizer->encode(sentences[index].text);
        const bool fits = static_cast<std::int64_t>(tokens.size()) <= model.model->config().maxLen;
        if (!fits || !knowsWords(*model.tokenizer, tokens))
            continue;
        PairPosition place = placeOf(sentences[index].pair, tokens);
        place.sample = static_cast<int>(survey.samples.size());
        survey.samples.push_back(traceOf(tracer, tokens, stop));
        survey.pairs.push_back(place);
        progress(kAfterRepeats + (kAfterSamples - kAfterRepeats) * static_cast<double>(index + 1) /
                                     static_cast<double>(sentences.size()));
    }
    if (survey.samples.size() >= kFewestSamples)
        return;
    survey.samples.clear();
    survey.pairs.clear();
    survey.whyNoSamples = "This model's vocabulary does not contain the words of the sample "
                          "sentences.";
}

/// Means of each cell over the samples that have a value.
HeadScoreTables meanOfSamples(const std::vector<TracePtr>& samples, const std::stop_token& stop)
{
    HeadScoreTables sums;
    const std::size_t scores = headScoreInfos().size();
    std::map<AttentionKind, std::vector<std::vector<int>>> counts;
    for (const TracePtr& sample : samples) {
        for (const auto& [attention, table] : scoreTrace(*sample, {}, stop)) {
            HeadScoreTable& sum = sums.try_emplace(attention, table).first->second;
            auto& count = counts[attention];
            if (count.empty()) {
                count.assign(sum.values.size(), std::vector<int>(scores));
                sum.values.assign(sum.values.size(), HeadScoreTable::Row(scores));
            }
            for (std::size_t head = 0; head < sum.values.size(); ++head)
                for (std::size_t score = 0; score < scores; ++score)
                    if (const double value = table.values[head][score]; !std::isnan(value)) {
                        sum.values[head][score] += value;
                        ++count[head][score];
                    }
        }
    }
    for (auto& [attention, table] : sums)
        for (std::size_t head = 0; head < table.values.size(); ++head)
            for (std::size_t score = 0; score < scores; ++score) {
                const int count = counts[attention][head][score];
                double& value = table.values[head][score];
                value = count > 0 ? value / count : kUndefined;
            }
    return sums;
}

/// True for scores that sample sentences do not have: they repeat no span.
bool isMeasuredOnRepeats(const HeadScoreInfo& info)
{
    return info.needs == HeadScoreNeeds::RandomRepeats || info.score == HeadScore::Retrieval;
}

/// Takes the scores of random repeats from the probe; without a probe the reason.
void takeStripes(HeadScoreTables& tables, const HeadSurvey& survey)
{
    for (auto& [attention, table] : tables) {
        for (const HeadScoreInfo& info : headScoreInfos()) {
            if (!isMeasuredOnRepeats(info))
                continue;
            const HeadScoreTable* probed =
                survey.repeats ? &survey.repeats->tables.at(attention) : nullptr;
            reasonOf(table, info.score) = probed ? probed->why(info.score) : survey.whyNoRepeats;
            for (int layer = 0; probed && layer < table.layers; ++layer)
                for (int head = 0; head < table.heads; ++head)
                    table.put({layer, head}, info.score, probed->at(layer, head, info.score));
        }
    }
}

void measureVariability(HeadScoreTables& tables, const HeadSurvey& survey)
{
    for (auto& [attention, table] : tables) {
        std::string& reason = reasonOf(table, HeadScore::Variability);
        reason = attention == AttentionKind::Cross
                     ? "Query and key are in different texts, so a position in one says "
                       "nothing about the other."
                     : survey.whyNoSamples;
        if (!reason.empty())
            continue;
        const Variability found = attentionVariability(survey.samples, stackOf(attention));
        for (int layer = 0; layer < table.layers; ++layer)
            for (int head = 0; head < table.heads; ++head)
                table.put({layer, head}, HeadScore::Variability,
                          found.heads.at(static_cast<std::size_t>(layer))
                              .at(static_cast<std::size_t>(head)));
    }
}

void measureCopyingOf(HeadScoreTable& table, const Model& model,
                      const VocabularyCircuit& vocabulary, const std::stop_token& stop)
{
    const auto heads =
        static_cast<std::size_t>(table.layers) * static_cast<std::size_t>(table.heads);
    parallelForEach(heads, 4 * workerCount(), stop, [&](std::size_t index) {
        const HeadId at{table.attention, static_cast<int>(index) / table.heads,
                        static_cast<int>(index) % table.heads};
        const auto score = copyingScore(model, at, vocabulary);
        table.put(at, HeadScore::Copying, score.value_or(kUndefined));
    });
}

void measureCopying(HeadSurvey& survey, const Model& model, const std::stop_token& stop)
{
    survey.whyNoCopying = whyNoCopying(model.config());
    if (survey.whyNoCopying.empty())
        survey.whyNoCopying = whyNoCircuits(model.config());
    std::optional<VocabularyCircuit> vocabulary;
    if (survey.whyNoCopying.empty())
        vocabulary = vocabularyCircuit(model, NormGains::Folded, stop);
    for (auto& [attention, table] : survey.tables) {
        if (vocabulary)
            measureCopyingOf(table, model, *vocabulary, stop);
        reasonOf(table, HeadScore::Copying) =
            vocabulary ? "The input of these heads does not come from the vocabulary's "
                         "embedding."
                       : survey.whyNoCopying;
    }
}

} // namespace

std::string HeadSurvey::measuredOn(HeadScore score) const
{
    const HeadScoreNeeds needs = infoOf(score).needs;
    if (needs == HeadScoreNeeds::Weights)
        return "the weights";
    if (score == HeadScore::PrefixMatching && repeats)
        return fmt::format("{} texts of {} random tokens, repeated four times",
                           repeats->prefixTexts, repeats->prefixPeriod);
    const bool onSamples = needs == HeadScoreNeeds::Samples || !samples.empty();
    if (!isMeasuredOnRepeats(infoOf(score)) && onSamples)
        return fmt::format("{} sample sentences", samples.size());
    if (repeats)
        return fmt::format("{} texts of {} random tokens, repeated", repeats->texts,
                           repeats->period);
    return "nothing";
}

HeadSurveyPtr surveyHeads(const LoadedModel& model, const std::stop_token& stop,
                          const std::function<void(double)>& listener)
{
    if (!model.model || !model.tokenizer)
        throw Error("there is no model to survey", "heads", "Open a model first.");
    const Stopwatch watch;
    const ProgressListener progress = [&listener](double fraction) {
        if (listener)
            listener(fraction);
    };
    auto survey = std::make_shared<HeadSurvey>();
    survey->model = model.name;
    probe(*survey, model, stop, progress);
    traceSamples(*survey, model, stop, progress);
    if (!survey->samples.empty())
        survey->tables = meanOfSamples(survey->samples, stop);
    else if (survey->repeats)
        survey->tables = survey->repeats->tables;
    takeStripes(survey->tables, *survey);
    measureVariability(survey->tables, *survey);
    survey->attendedPairs = pairAttentions(survey->samples, survey->pairs, stop);
    progress(kAfterSamples);
    measureCopying(*survey, *model.model, stop);
    progress(1.0);
    survey->elapsedMs = watch.milliseconds();
    return survey;
}

} // namespace headscope
