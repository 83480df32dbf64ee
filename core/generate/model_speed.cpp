#include "core/generate/model_speed.h"

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/generate/decoding_state.h"

#include <algorithm>
#include <chrono>

namespace headscope {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

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
    const auto start = Clock::now();
    state.logitsAfter(ids, stop);
    return millisecondsSince(start);
}

double decodeTime(DecodingState state, std::vector<TokenId> ids, std::int64_t newTokens,
                  const std::stop_token& stop)
{
    std::vector<float> logits = state.logitsAfter(ids, stop);
    const auto start = Clock::now();
    for (std::int64_t made = 0; made < newTokens; ++made) {
        const auto best = std::max_element(logits.begin(), logits.end());
        ids.push_back(static_cast<TokenId>(best - logits.begin()));
        logits = state.logitsAfter(ids, stop);
    }
    return millisecondsSince(start);
}

double median(std::vector<double> samples)
{
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    return *middle;
}

/// Prompts first, then the new tokens: what fits of what was asked for.
std::vector<ModelSpeed> plan(const ModelSpeedOptions& options, std::int64_t positions)
{
    std::vector<ModelSpeed> all;
    for (const std::int64_t tokens : options.promptTokens)
        if (tokens > 0 && tokens <= positions)
            all.push_back({ModelSpeed::Kind::Prompt, tokens, 0.0});
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
                    "Ask for fewer tokens than the model has positions");
    const DecodingState fresh(model, backend);
    model->pack();
    std::vector<std::vector<double>> samples(results.size());
    for (int round = -1; round < options.rounds; ++round)
        for (std::size_t i = 0; i < results.size(); ++i) {
            const bool prompt = results[i].kind == ModelSpeed::Kind::Prompt;
            const std::vector<TokenId> ids = randomTokens(
                prompt ? results[i].tokens : std::max<std::int64_t>(options.tokensBefore, 1),
                model->config().vocabularySize);
            const double time = prompt ? promptTime(fresh, ids, stop)
                                       : decodeTime(fresh, ids, results[i].tokens, stop);
            if (round >= 0)
                samples[i].push_back(time);
        }
    for (std::size_t i = 0; i < results.size(); ++i)
        results[i].milliseconds = median(samples[i]);
    return results;
}

} // namespace headscope
