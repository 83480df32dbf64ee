#include "core/analysis/head_scores.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "ui/workers/head_scorer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

namespace headscope::ui {

namespace {

using Scores = std::array<double, kHeadScores>;

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr int kPeriod = 32;

double& put(Scores& scores, HeadScore score)
{
    return scores[static_cast<std::size_t>(score)];
}

Scores undefinedScores()
{
    Scores scores;
    scores.fill(kUndefined);
    return scores;
}

Scores crossScores(TensorView pattern)
{
    Scores scores = undefinedScores();
    const std::int64_t queries = pattern.shape[0];
    const std::int64_t keys = pattern.shape[1];
    if (queries == 0 || keys < 2)
        return scores;
    double entropy = 0.0;
    double first = 0.0;
    for (std::int64_t query = 0; query < queries; ++query) {
        first += double{pattern(query, 0)};
        for (std::int64_t key = 0; key < keys; ++key) {
            const double weight = pattern(query, key);
            entropy -= weight > 0.0 ? weight * std::log(weight) : 0.0;
        }
    }
    const auto rows = static_cast<double>(queries);
    put(scores, HeadScore::Entropy) = entropy / rows / std::log(static_cast<double>(keys));
    put(scores, HeadScore::FirstToken) = first / rows;
    return scores;
}

Scores textScores(TensorView pattern, const std::vector<TokenId>& ids)
{
    Scores scores = undefinedScores();
    put(scores, HeadScore::Induction) = inductionOnText(pattern, ids);
    put(scores, HeadScore::Duplicate) = duplicateTokenFraction(pattern, ids);
    put(scores, HeadScore::PreviousToken) = previousTokenScore(pattern);
    put(scores, HeadScore::FirstToken) = firstTokenMass(pattern);
    put(scores, HeadScore::Entropy) = normalisedEntropy(pattern);
    put(scores, HeadScore::Distance) = meanDistance(pattern).mean;
    return scores;
}

Scores probeScores(TensorView pattern, const std::vector<TokenId>& ids, int period)
{
    Scores scores = textScores(pattern, ids);
    put(scores, HeadScore::Induction) = inductionStripe(pattern, period, 0);
    put(scores, HeadScore::Duplicate) = duplicateStripe(pattern, period, 0);
    return scores;
}

/// score(pattern, ids) of every square map; the rest by crossScores.
template<class Score>
HeadScoreTables scoreAll(const Trace& trace, std::stop_token stop, const Score& score)
{
    HeadScoreTables tables;
    for (const AttentionPart part : partsOf(trace)) {
        HeadScoreTable& table = tables[part];
        table.layers = layerCount(trace, part);
        table.heads = headCount(trace, part);
        const std::vector<TokenId> ids = queryTokens(trace, part).ids();
        for (int layer = 0; layer < table.layers; ++layer) {
            const auto pattern = trace.find(patternKey(part, layer));
            for (int head = 0; head < table.heads; ++head) {
                if (stop.stop_requested())
                    throw Cancelled();
                if (!pattern)
                    table.values.push_back(undefinedScores());
                else if (part == AttentionPart::Cross)
                    table.values.push_back(crossScores(pattern->view()[head]));
                else
                    table.values.push_back(score(pattern->view()[head], ids));
            }
        }
    }
    return tables;
}

/// Tokens that random ones are drawn from: all but special ones.
std::vector<TokenId> drawable(const LoadedModel& model)
{
    std::vector<TokenId> ids;
    const auto vocabulary = static_cast<TokenId>(model.model->config().vocabularySize);
    const auto known = static_cast<TokenId>(model.tokenizer->vocabularySize());
    for (TokenId id = 0; id < std::min(vocabulary, known); ++id) {
        if (!model.tokenizer->isSpecial(id))
            ids.push_back(id);
    }
    return ids;
}

TokenSequence repeatedTokens(const LoadedModel& model, const std::vector<TokenId>& ids, int period,
                             std::uint64_t text)
{
    Random random(7, text);
    std::vector<TokenId> round;
    for (int index = 0; index < period; ++index)
        round.push_back(random.pick(ids));
    TokenSequence sequence;
    for (int index = 0; index < 2 * period; ++index) {
        const TokenId id = round[static_cast<std::size_t>(index % period)];
        const std::size_t begin = sequence.text.size();
        sequence.text += model.tokenizer->tokenBytes(id);
        sequence.tokens.push_back({id, {begin, sequence.text.size()}, false});
    }
    return sequence;
}

TracePtr traceOf(Tracer& tracer, const TokenSequence& tokens, std::stop_token stop)
{
    const TraceRequest request{{"*hook_pattern"}};
    if (tracer.model().model->config().architecture == Architecture::EncoderDecoder)
        return tracer.trace(SourceAndTarget{tokens, tokens}, request, {}, stop);
    return tracer.trace(tokens, request, {}, stop);
}

void add(HeadScoreTables& sums, const HeadScoreTables& more)
{
    if (sums.empty()) {
        sums = more;
        return;
    }
    for (auto& [part, table] : sums) {
        const HeadScoreTable& other = more.at(part);
        for (std::size_t head = 0; head < table.values.size(); ++head)
            for (std::size_t score = 0; score < kHeadScores; ++score)
                table.values[head][score] += other.values[head][score];
    }
}

void divide(HeadScoreTables& sums, double by)
{
    for (auto& [part, table] : sums)
        for (Scores& scores : table.values)
            for (double& value : scores)
                value /= by;
}

} // namespace

double HeadScoreTable::at(HeadIndex head, HeadScore score) const
{
    const auto place = static_cast<std::size_t>(head.layer) * static_cast<std::size_t>(heads) +
                       static_cast<std::size_t>(head.head);
    if (head.layer < 0 || head.head < 0 || head.head >= heads || place >= values.size())
        return kUndefined;
    return values[place][static_cast<std::size_t>(score)];
}

std::vector<HeadIndex> HeadScoreTable::ranked(HeadScore score, bool rising) const
{
    std::vector<HeadIndex> order;
    for (int layer = 0; layer < layers; ++layer)
        for (int head = 0; head < heads; ++head)
            order.push_back({layer, head});
    std::stable_sort(order.begin(), order.end(), [&](HeadIndex one, HeadIndex other) {
        const double a = at(one, score);
        const double b = at(other, score);
        if (std::isnan(a) || std::isnan(b))
            return !std::isnan(a) && std::isnan(b);
        return rising ? a < b : a > b;
    });
    return order;
}

std::vector<int> HeadScoreTable::orderInLayers(HeadScore score) const
{
    std::vector<std::vector<int>> byLayer(static_cast<std::size_t>(layers));
    for (const HeadIndex index : ranked(score))
        byLayer[static_cast<std::size_t>(index.layer)].push_back(index.head);
    std::vector<int> order;
    for (const std::vector<int>& layer : byLayer)
        order.insert(order.end(), layer.begin(), layer.end());
    return order;
}

HeadScoreTables scoreText(const Trace& trace, std::stop_token stop)
{
    return scoreAll(trace, stop, [](TensorView pattern, const std::vector<TokenId>& ids) {
        return textScores(pattern, ids);
    });
}

ProbePtr runProbe(const LoadedModel& model, std::stop_token stop,
                  const std::function<void(int)>& progress)
{
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<TokenId> ids = drawable(model);
    const auto room = static_cast<int>(std::min<std::int64_t>(model.model->config().maxLen, 4096));
    auto probe = std::make_shared<Probe>();
    probe->period = std::min(kPeriod, room / 2);
    if (probe->period < 2 || ids.size() < 2)
        throw Error("this model is too small for random repeats", model.name,
                    "Measure on your own text.");
    Tracer tracer(model, std::make_unique<CpuAttention>());
    for (int text = 0; text < kProbeTexts; ++text) {
        const TokenSequence tokens =
            repeatedTokens(model, ids, probe->period, static_cast<std::uint64_t>(text));
        const TracePtr trace = traceOf(tracer, tokens, stop);
        add(probe->tables,
            scoreAll(*trace, stop, [&](TensorView pattern, const std::vector<TokenId>& known) {
                return probeScores(pattern, known, probe->period);
            }));
        if (!probe->example)
            probe->example = trace;
        ++probe->texts;
        if (progress)
            progress(probe->texts);
    }
    divide(probe->tables, probe->texts);
    const auto elapsed = std::chrono::steady_clock::now() - begin;
    probe->elapsedMs = std::chrono::duration<double, std::milli>(elapsed).count();
    return probe;
}

} // namespace headscope::ui
