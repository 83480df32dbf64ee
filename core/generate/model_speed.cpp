#include "core/generate/model_speed.h"

#include "core/base/error.h"
#include "core/base/median.h"
#include "core/base/random.h"
#include "core/base/stopwatch.h"
#include "core/generate/decoding_state.h"
#include "core/tensor/largest.h"
#include "core/trace/trace_recorder.h"

#include <algorithm>

namespace headscope {

namespace {

std::vector<TokenId> randomTokens(std::int64_t count, std::int64_t vocabulary)
{
    Random random(1);
    std::vector<TokenId> ids;
    for (std::int64_t i = 0; i < count; ++i)
        ids.push_back(static_cast<TokenId>(random.below(static_cast<std::uint64_t>(vocabulary))));
    return ids;
}

double promptTime(DecodingState state, const std::vector<TokenId>& ids, const std::stop_token& stop)
{
    const Stopwatch watch;
    state.logitsAfter(ids, stop);
    return watch.milliseconds();
}

double mapsTime(const Model& model, AttentionBackend& backend, const std::vector<TokenId>& ids,
                const std::stop_token& stop)
{
    std::vector<TraceKey> patterns;
    for (int layer = 0; layer < model.config().layers; ++layer)
        patterns.push_back({Site::Pattern, layer});
    const Stopwatch watch;
    TraceRecorder recorder(patterns, static_cast<std::int64_t>(ids.size()), nullptr);
    KvCache cache(model.config());
    ForwardOptions options;
    options.stop = stop;
    options.lastLogitsOnly = true;
    options.observer = &recorder;
    model.forward(ids, backend, cache, options);
    recorder.take();
    return watch.milliseconds();
}

double decodeTime(DecodingState state, std::vector<TokenId> ids, std::int64_t newTokens,
                  const std::stop_token& stop)
{
    Tensor logits = state.logitsAfter(ids, stop);
    const Stopwatch watch;
    for (std::int64_t made = 0; made < newTokens; ++made) {
        ids.push_back(static_cast<TokenId>(largestIndex(logits.values())));
        logits = state.logitsAfter(ids, stop);
    }
    return watch.milliseconds();
}

/// Plans the prompts first, then the new tokens, limited to what fits.
std::vector<ModelSpeed> plan(const ModelSpeedOptions& options, std::int64_t positions)
{
    std::vector<ModelSpeed> all;
    for (const std::int64_t tokens : options.promptTokens)
        if (tokens > 0 && tokens <= positions)
            for (const ModelSpeed::Kind kind : {ModelSpeed::Kind::Prompt, ModelSpeed::Kind::Maps})
                all.push_back({kind, tokens, 0.0});
    const std::int64_t fitting =
        std::min(options.newTokens, positions - std::max<std::int64_t>(options.tokensBefore, 1));
    if (fitting > 0)
        all.push_back({ModelSpeed::Kind::Decode, fitting, 0.0});
    return all;
}

} // namespace

std::vector<ModelSpeed> measureModelSpeed(const std::shared_ptr<const Model>& model,
                                          AttentionBackend& backend,
                                          const ModelSpeedOptions& options,
                                          const std::stop_token& stop)
{
    std::vector<ModelSpeed> results = plan(options, model->config().maxLen);
    if (results.empty() || options.rounds < 1)
        throw Error("a benchmark without rounds or tokens", "measureModelSpeed",
                    "Choose fewer tokens than the model has positions");
    const DecodingState fresh(model, backend, {}, {}, options.products);
    model->pack();
    std::vector<std::vector<double>> samples(results.size());
    for (int round = -1; round < options.rounds; ++round)
        for (std::size_t i = 0; i < results.size(); ++i) {
            const ModelSpeed::Kind kind = results[i].kind;
            const bool decodes = kind == ModelSpeed::Kind::Decode;
            const std::vector<TokenId> ids = randomTokens(
                decodes ? std::max<std::int64_t>(options.tokensBefore, 1) : results[i].tokens,
                model->config().vocabularySize);
            const double time = decodes ? decodeTime(fresh, ids, results[i].tokens, stop)
                                : kind == ModelSpeed::Kind::Maps
                                    ? mapsTime(*model, backend, ids, stop)
                                    : promptTime(fresh, ids, stop);
            if (round >= 0)
                samples[i].push_back(time);
        }
    for (std::size_t i = 0; i < results.size(); ++i)
        results[i].milliseconds = median(samples[i]);
    return results;
}

} // namespace headscope
