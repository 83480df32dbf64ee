#include "core/analysis/scores/repeats_probe.h"

#include "core/analysis/derivation/word_tokens.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/stopwatch.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr int kPeriod = 32;
constexpr int kPrefixPeriod = 25; // Value of Olsson et al. 2022.
constexpr int kPrefixRounds = 4;
constexpr std::uint64_t kSeed = 7;
constexpr std::uint64_t kPrefixStream = 1000; // First random stream of texts repeated four times.

/// Random tokens without duplicates in a round while there are enough: a copy within a round is not
/// a repeat.
std::vector<TokenId> randomRound(std::vector<TokenId> ids, int period, Random& random)
{
    std::vector<TokenId> round;
    const std::size_t all = ids.size();
    const bool isEnough = all >= static_cast<std::size_t>(period);
    for (std::size_t index = 0; index < static_cast<std::size_t>(period); ++index) {
        const std::size_t first = isEnough ? index : 0;
        const std::size_t drawn = first + random.below(all - first);
        round.push_back(ids[drawn]);
        std::swap(ids[first], ids[drawn]);
    }
    return round;
}

TokenSequence repeatedTokens(const LoadedModel& model, const std::vector<TokenId>& ids, int period,
                             int rounds, std::uint64_t stream)
{
    Random random(kSeed, stream);
    const std::vector<TokenId> round = randomRound(ids, period, random);
    TokenSequence sequence;
    for (int index = 0; index < rounds * period; ++index) {
        const TokenId id = round[static_cast<std::size_t>(index % period)];
        const std::size_t begin = sequence.text.size();
        sequence.text += model.tokenizer->tokenBytes(id);
        sequence.tokens.push_back({id, {begin, sequence.text.size()}, false});
    }
    return sequence;
}

TracePtr traceOf(Tracer& tracer, const TokenSequence& tokens, const std::stop_token& stop)
{
    const TraceRequest request{{"*hook_pattern"}};
    if (tracer.model().model->config().isEncoderDecoder())
        return tracer.trace(SourceAndTarget{tokens, tokens}, request, {}, stop);
    return tracer.trace(tokens, request, {}, stop);
}

void add(HeadScoreTables& sums, const HeadScoreTables& more)
{
    if (sums.empty()) {
        sums = more;
        return;
    }
    for (auto& [attention, table] : sums)
        for (std::size_t head = 0; head < table.values.size(); ++head)
            for (std::size_t score = 0; score < headScoreInfos().size(); ++score)
                table.values[head][score] += more.at(attention).values[head][score];
}

void divide(HeadScoreTables& sums, double by)
{
    for (auto& [attention, table] : sums)
        for (HeadScoreTable::Row& row : table.values)
            for (double& value : row)
                value /= by;
}

struct ProbeKind
{
    int period;
    int rounds;
    int texts;
    std::uint64_t stream;
};

/// Means over the texts of one kind; `example` becomes the first of them.
HeadScoreTables runTexts(Tracer& tracer, const std::vector<TokenId>& ids, const ProbeKind& kind,
                         TracePtr& example, const std::stop_token& stop,
                         const std::function<void()>& done)
{
    HeadScoreTables sums;
    HeadScoreOptions options;
    options.period = kind.period;
    for (int text = 0; text < kind.texts; ++text) {
        const TokenSequence tokens = repeatedTokens(tracer.model(), ids, kind.period, kind.rounds,
                                                    kind.stream + static_cast<std::uint64_t>(text));
        const TracePtr trace = traceOf(tracer, tokens, stop);
        add(sums, scoreTrace(*trace, options, stop));
        if (!example)
            example = trace;
        done();
    }
    divide(sums, kind.texts);
    return sums;
}

void takePrefixMatching(HeadScoreTables& tables, const HeadScoreTables& fourTimes)
{
    constexpr auto kScore = HeadScore::PrefixMatching;
    for (auto& [attention, table] : tables) {
        const auto found = fourTimes.find(attention);
        std::string& reason = table.reasons[static_cast<std::size_t>(kScore)];
        reason = found != fourTimes.end() ? found->second.why(kScore)
                                          : "This model's context is too short for tokens "
                                            "repeated four times.";
        for (int layer = 0; found != fourTimes.end() && layer < table.layers; ++layer)
            for (int head = 0; head < table.heads; ++head)
                table.put({layer, head}, kScore, found->second.at(layer, head, kScore));
    }
}

} // namespace

RepeatsProbePtr probeRepeats(const LoadedModel& model, const std::stop_token& stop,
                             const std::function<void(int)>& progress)
{
    const Stopwatch watch;
    const std::vector<TokenId> ids = wordTokens(model);
    const auto room = static_cast<int>(std::min<std::int64_t>(model.model->config().maxLen, 4096));
    auto probe = std::make_shared<RepeatsProbe>();
    probe->period = std::min(kPeriod, room / 2);
    if (probe->period < 2 || ids.size() < 2)
        throw Error("this model is too small for random repeats", model.name,
                    "Measure on your own text.");
    int done = 0;
    const auto step = [&] {
        if (++done; progress)
            progress(done);
    };
    Tracer tracer(model, std::make_unique<CpuAttention>());
    probe->tables =
        runTexts(tracer, ids, {probe->period, 2, kRepeatsTexts, 0}, probe->example, stop, step);
    probe->texts = kRepeatsTexts;
    HeadScoreTables fourTimes;
    if (const int period = std::min(kPrefixPeriod, room / kPrefixRounds); period >= 2) {
        probe->prefixPeriod = period;
        probe->prefixTexts = kPrefixTexts;
        fourTimes = runTexts(tracer, ids, {period, kPrefixRounds, kPrefixTexts, kPrefixStream},
                             probe->prefixExample, stop, step);
    }
    takePrefixMatching(probe->tables, fourTimes);
    probe->elapsedMs = watch.milliseconds();
    return probe;
}

} // namespace headscope
