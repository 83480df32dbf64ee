#include "core/analysis/benchmarks/keystroke_benchmark.h"

#include "core/base/error.h"
#include "core/base/median.h"
#include "core/base/random.h"
#include "core/base/stopwatch.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

KeystrokeCase makeCase(const char* name, std::int64_t vocabulary, std::int64_t width,
                       std::int64_t heads, std::int64_t layers)
{
    KeystrokeCase benchmark;
    benchmark.name = name;
    benchmark.config.vocabularySize = vocabulary;
    benchmark.config.dModel = width;
    benchmark.config.heads = heads;
    benchmark.config.layers = layers;
    benchmark.config.dFf = 4 * width;
    benchmark.config.maxLen = 128;
    return benchmark;
}

TokenSequence randomText(const KeystrokeCase& benchmark)
{
    Random random(1);
    TokenSequence text;
    for (std::int64_t i = 0; i < benchmark.tokens; ++i) {
        const auto vocabulary = static_cast<std::uint64_t>(benchmark.config.vocabularySize);
        text.tokens.push_back({static_cast<TokenId>(random.below(vocabulary)), {}, false});
    }
    return text;
}

template<class Body>
double millisecondsOf(const Body& body)
{
    const Stopwatch watch;
    body();
    return watch.milliseconds();
}

/// Times `body` repeatedly, each time after an untimed `prepare`, for about kMillisecondsPerRound.
template<class Body, class Prepare>
void sampleFor(double milliseconds, std::vector<double>& samples, const Body& body,
               const Prepare& prepare)
{
    for (double spent = 0.0; spent < milliseconds; spent += samples.back()) {
        prepare();
        samples.push_back(millisecondsOf(body));
    }
}

constexpr double kMillisecondsPerRound = 60.0; ///< As long as the compared programs are timed.

} // namespace

std::vector<KeystrokeCase> keystrokeCases()
{
    return {makeCase("toy", 512, 64, 4, 2), makeCase("small", 1024, 128, 4, 4),
            makeCase("mini", 2048, 256, 8, 6), makeCase("gpt2-small", 50257, 768, 12, 12)};
}

KeystrokeTiming measureKeystroke(const KeystrokeCase& benchmark,
                                 std::unique_ptr<AttentionBackend> backend, int rounds,
                                 WeightPrecision precision)
{
    if (rounds < 1 || benchmark.tokens < 1)
        throw Error("a keystroke benchmark without rounds or tokens", "measureKeystroke");
    LoadedModel loaded;
    loaded.name = benchmark.name;
    loaded.model = std::make_shared<const Model>(Model::initialised(benchmark.config, 1));
    if (precision != WeightPrecision::Float32)
        loaded.model = std::make_shared<const Model>(Model::rounded(loaded.model, precision));
    Tracer tracer(std::move(loaded), std::move(backend));
    const TraceRequest request{{"blocks.*.attn.hook_pattern", "logits"}};
    TokenSequence text = randomText(benchmark);
    const auto vocabulary = static_cast<TokenId>(benchmark.config.vocabularySize);
    tracer.trace(text, request);

    std::vector<double> full;
    std::vector<double> cached;
    for (int round = 0; round < rounds; ++round) {
        sampleFor(
            kMillisecondsPerRound, full, [&] { tracer.trace(text, request); },
            [&] { tracer.forget(); });
        sampleFor(
            kMillisecondsPerRound, cached, [&] { tracer.trace(text, request); },
            [&] { text.tokens.back().id = (text.tokens.back().id + 1) % vocabulary; });
    }
    return {benchmark.name, benchmark.tokens, rounds, median(full), median(cached)};
}

} // namespace headscope
