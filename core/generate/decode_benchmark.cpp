#include "core/generate/decode_benchmark.h"

#include "core/base/error.h"
#include "core/base/median.h"
#include "core/base/random.h"
#include "core/base/stopwatch.h"
#include "core/generate/decoding_state.h"
#include "core/tensor/largest.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

DecodeCase makeCase(const char* name, std::int64_t vocabulary, std::int64_t width,
                    std::int64_t heads, std::int64_t layers)
{
    DecodeCase shape;
    shape.name = name;
    shape.config.vocabularySize = vocabulary;
    shape.config.dModel = width;
    shape.config.heads = heads;
    shape.config.layers = layers;
    shape.config.dFf = 4 * width;
    shape.config.activation = Activation::GeluTanh; // same as in the program it is compared with
    return shape;
}

DecodeCase withPositions(DecodeCase shape, std::int64_t positions)
{
    shape.config.maxLen = positions;
    shape.newTokens = std::min(shape.newTokens, positions - shape.promptTokens);
    return shape;
}

/// Milliseconds until the first new token and until the last.
std::pair<double, double> decodeOnce(DecodingState state, std::vector<TokenId> ids,
                                     std::int64_t newTokens, const std::stop_token& stop)
{
    const Stopwatch watch;
    double first = 0.0;
    for (std::int64_t made = 0; made < newTokens; ++made) {
        const Tensor logits = state.logitsAfter(ids, stop);
        ids.push_back(static_cast<TokenId>(largestIndex(logits.values())));
        if (made == 0)
            first = watch.milliseconds();
    }
    return {first, watch.milliseconds()};
}

} // namespace

std::vector<DecodeCase> decodeCases()
{
    return {withPositions(makeCase("toy", 512, 64, 4, 2), 32),
            withPositions(makeCase("small", 1024, 128, 4, 4), 64),
            withPositions(makeCase("mini", 2048, 256, 8, 6), 128),
            withPositions(makeCase("gpt2-small", 50257, 768, 12, 12), 1024)};
}

DecodeTiming measureDecoding(const DecodeCase& shape, std::unique_ptr<AttentionBackend> backend,
                             int rounds, const std::stop_token& stop)
{
    if (rounds < 1 || shape.promptTokens < 1 || shape.newTokens < 1 || !backend)
        throw Error("a benchmark without rounds, tokens or a backend", "measureDecoding");
    Random random(1);
    std::vector<TokenId> prompt;
    for (std::int64_t i = 0; i < shape.promptTokens; ++i)
        prompt.push_back(static_cast<TokenId>(
            random.below(static_cast<std::uint64_t>(shape.config.vocabularySize))));
    const auto model = std::make_shared<const Model>(Model::initialised(shape.config, 1));
    const DecodingState fresh(model, *backend);
    // packs the weights
    decodeOnce(fresh, prompt, std::min<std::int64_t>(shape.newTokens, 4), stop);
    std::vector<double> first;
    std::vector<double> total;
    for (int round = 0; round < rounds; ++round) {
        const auto [firstMs, totalMs] = decodeOnce(fresh, prompt, shape.newTokens, stop);
        first.push_back(firstMs);
        total.push_back(totalMs);
    }
    const double totalMs = median(total);
    return {shape,   backend->describe(),
            rounds,  median(first),
            totalMs, static_cast<double>(shape.newTokens) * 1e3 / totalMs};
}

} // namespace headscope
