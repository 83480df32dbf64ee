#include "core/attention/attention_geometry.h"
#include "core/base/random.h"
#include "core/base/stopwatch.h"
#include "core/generate/decoding_state.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/lab.h"
#include "core/tensor/largest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope {

namespace {

constexpr std::int64_t kPrompt = 8;

ModelConfig configOf(const std::string& size, std::int64_t newTokens)
{
    ModelConfig config;
    config.vocabularySize = 512;
    config.dModel = size == "small" ? 64 : 128;
    config.heads = 4;
    config.layers = size == "small" ? 2 : 4;
    config.dFf = 4 * config.dModel;
    config.maxLen = kPrompt + newTokens;
    return config;
}

/// Generation of the same text in one way, timed per token.
struct Decoding
{
    std::vector<double> ms;
    Tensor logits; ///< Logits of the last step, [1, V].
    std::vector<TokenId> ids;

    double totalMs() const { return std::accumulate(ms.begin(), ms.end(), 0.0); }
};

template<class LogitsAfter>
Decoding decode(std::vector<TokenId> prompt, std::int64_t newTokens, const LogitsAfter& logitsAfter,
                const std::function<void(std::int64_t)>& done)
{
    Decoding decoding;
    decoding.ids = std::move(prompt);
    for (std::int64_t step = 0; step < newTokens; ++step) {
        const Stopwatch watch;
        decoding.logits = logitsAfter(decoding.ids);
        decoding.ms.push_back(watch.milliseconds());
        decoding.ids.push_back(static_cast<TokenId>(largestIndex(decoding.logits.values())));
        done(step);
    }
    return decoding;
}

/// Number of attention operations in a step that computes `queries` of `tokens` tokens.
double attentionWork(const ModelConfig& config, std::int64_t queries, std::int64_t tokens)
{
    AttentionInputs inputs;
    inputs.queries.shape = {1, config.heads, queries, config.headDim()};
    inputs.keys.shape = {1, config.keyHeadCount(), tokens, config.headDim()};
    inputs.values.shape = inputs.keys.shape;
    inputs.mask.causal = true;
    return static_cast<double>(config.layers) * attentionFlops(inputs, false);
}

struct Measured
{
    ModelConfig config;
    Decoding cached;
    Decoding uncached;
};

Measured measure(const ModelConfig& config, std::int64_t newTokens, const LabContext& context,
                 const std::stop_token& stop)
{
    const auto backend = backendOf(context);
    const auto model = std::make_shared<const Model>(Model::initialised(config, 1));
    Random random(1);
    std::vector<TokenId> prompt;
    for (std::int64_t i = 0; i < kPrompt; ++i)
        prompt.push_back(
            static_cast<TokenId>(random.below(static_cast<std::uint64_t>(config.vocabularySize))));
    const auto whole = [&](const std::vector<TokenId>& ids) {
        KvCache empty(config);
        ForwardOptions options;
        options.lastLogitsOnly = true;
        options.stop = stop;
        return model->forward(ids, *backend, empty, options);
    };
    whole(prompt); // packs the weights
    DecodingState state(model, *backend);
    Measured measured{config, {}, {}};
    measured.cached = decode(
        prompt, newTokens,
        [&](const std::vector<TokenId>& ids) { return state.logitsAfter(ids, stop); },
        [](std::int64_t) {});
    measured.uncached = decode(prompt, newTokens, whole, [&](std::int64_t step) {
        reportProgress(context, static_cast<double>(step + 1) / static_cast<double>(newTokens));
    });
    return measured;
}

/// Medians of eight steps each, so that one interruption of the machine is not a spike.
LabChart::Series smoothed(const char* name, const std::vector<double>& ms, bool dashed)
{
    LabChart::Series series{name, {}, {}, dashed};
    constexpr std::size_t kRun = 8;
    for (std::size_t first = 0; first + kRun <= ms.size(); first += kRun) {
        std::vector<double> run(ms.begin() + static_cast<std::ptrdiff_t>(first),
                                ms.begin() + static_cast<std::ptrdiff_t>(first + kRun));
        std::nth_element(run.begin(), run.begin() + kRun / 2, run.end());
        series.x.push_back(static_cast<double>(kPrompt) + static_cast<double>(first) + kRun / 2.0);
        series.y.push_back(run[kRun / 2]);
    }
    return series;
}

LabChart timeChart(const Measured& measured)
{
    LabChart chart{"tokens so far", "ms per token"};
    chart.series = {smoothed("without the cache", measured.uncached.ms, true),
                    smoothed("with the cache", measured.cached.ms, false)};
    return chart;
}

LabChart workChart(const ModelConfig& config, std::int64_t newTokens)
{
    LabChart chart{"tokens so far", "operations", false, true};
    LabChart::Series cached{"with the cache"};
    LabChart::Series uncached{"without the cache", {}, {}, true};
    for (std::int64_t tokens = kPrompt; tokens < kPrompt + newTokens; ++tokens) {
        cached.x.push_back(static_cast<double>(tokens));
        cached.y.push_back(attentionWork(config, 1, tokens));
        uncached.y.push_back(attentionWork(config, tokens, tokens));
    }
    uncached.x = cached.x;
    chart.series = {uncached, cached};
    return chart;
}

std::vector<LabNumber> numbersOf(const Measured& measured, std::int64_t newTokens)
{
    const double cachedMs = measured.cached.totalMs();
    const double uncachedMs = measured.uncached.totalMs();
    const double first = attentionWork(measured.config, 1, kPrompt);
    const double last = attentionWork(measured.config, 1, kPrompt + newTokens - 1);
    return {
        labNumber("tokens", "New tokens", newTokens),
        measuredNumber("cached_ms", "With the cache", cachedMs, "ms"),
        measuredNumber("uncached_ms", "Without the cache", uncachedMs, "ms"),
        measuredNumber("ratio", "Speed-up factor", uncachedMs / cachedMs, ""),
        labNumber("work_first", "Attention work of the first cached step", first, "operations"),
        labNumber("work_last", "Attention work of the last cached step", last, "operations"),
        labNumber("growth", "Growth of a cached step", last / first),
        labNumber("length_growth", "Growth of the text",
                  static_cast<double>(kPrompt + newTokens - 1) / static_cast<double>(kPrompt)),
        labNumber("uncached_work_last", "Attention work of the last uncached step",
                  attentionWork(measured.config, kPrompt + newTokens - 1, kPrompt + newTokens - 1),
                  "operations"),
        labNumber("largest_difference", "Difference of the last logits",
                  largestDifference(measured.cached.logits, measured.uncached.logits)),
        labNumber("same_text", "Same tokens (1: yes)",
                  std::int64_t{measured.cached.ids == measured.uncached.ids})};
}

} // namespace

LabResult runCachedDecoding(const LabSettings& settings, const LabContext& context,
                            const std::stop_token& stop)
{
    const std::int64_t newTokens = settings.integer("tokens");
    const ModelConfig config = configOf(settings.text("size"), newTokens);
    const Measured measured = measure(config, newTokens, context, stop);
    LabResult result;
    result.panels = {{"Time of each new token", "measured on this machine", timeChart(measured)},
                     {"Attention work in each step",
                      "operations: one query or all queries against all keys so far",
                      workChart(config, newTokens)}};
    result.numbers = numbersOf(measured, newTokens);
    result.sentence = fmt::format(
        "{} tokens took {:.0f} ms with the cache and {:.0f} ms without it, {:.1f} times as long. "
        "The work of a cached step still grew {:.1f} times, as the text did.",
        newTokens, measured.cached.totalMs(), measured.uncached.totalMs(),
        measured.uncached.totalMs() / measured.cached.totalMs(), result.number("growth").value);
    return result;
}

} // namespace headscope
