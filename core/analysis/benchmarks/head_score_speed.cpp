#include "core/analysis/benchmarks/head_score_speed.h"

#include "core/analysis/scores/head_table.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/stopwatch.h"
#include "core/trace/trace_recorder.h"

#include <algorithm>
#include <limits>

namespace headscope {

namespace {

/// Random ids without text: no score here reads one.
TokenSequence randomTokens(std::int64_t tokens, std::int64_t vocabulary)
{
    Random random(20);
    TokenSequence sequence;
    for (std::int64_t index = 0; index < tokens; ++index)
        sequence.tokens.push_back(
            {static_cast<TokenId>(random.below(static_cast<std::uint64_t>(vocabulary))),
             {},
             false});
    return sequence;
}

ModelConfig decoderOf(int layers, int heads, std::int64_t tokens)
{
    ModelConfig config;
    config.layers = layers;
    config.heads = heads;
    config.dModel = 64 * heads;
    config.dFf = 4 * config.dModel;
    config.vocabularySize = 4096;
    config.maxLen = tokens;
    return config;
}

} // namespace

HeadScoreSpeed measureHeadScores(const LoadedModel& model, std::int64_t tokens, int rounds,
                                 const std::stop_token& stop)
{
    if (!model.model || tokens < 1 || rounds < 1)
        throw Error("no model, tokens or rounds to measure with", "head scores");
    const ModelConfig& config = model.model->config();
    const TokenSequence text = randomTokens(std::min(tokens, config.maxLen), config.vocabularySize);
    constexpr double kNone = std::numeric_limits<double>::infinity();
    HeadScoreSpeed speed{0, 0, static_cast<std::int64_t>(text.size()), kNone, kNone};
    Tracer tracer(model, std::make_unique<CpuAttention>());
    for (int round = 0; round < rounds; ++round) {
        tracer.forget();
        const TraceRequest request{{"*hook_pattern", "logits"}};
        const Stopwatch forwardWatch;
        const TracePtr trace = config.isEncoderDecoder()
                                   ? tracer.trace(SourceAndTarget{text, text}, request, {}, stop)
                                   : tracer.trace(text, request, {}, stop);
        speed.forwardMs = std::min(speed.forwardMs, forwardWatch.milliseconds());
        const Stopwatch scoresWatch;
        const HeadScoreTables tables = scoreTrace(*trace, {}, stop);
        speed.scoresMs = std::min(speed.scoresMs, scoresWatch.milliseconds());
        speed.layers = tables.empty() ? 0 : tables.begin()->second.layers;
        speed.heads = tables.empty() ? 0 : tables.begin()->second.heads;
    }
    return speed;
}

HeadScoreSpeed measureHeadScores(int layers, int heads, std::int64_t tokens, int rounds,
                                 const std::stop_token& stop)
{
    LoadedModel model;
    model.name = "random";
    model.model =
        std::make_shared<const Model>(Model::initialised(decoderOf(layers, heads, tokens), 1));
    return measureHeadScores(model, tokens, rounds, stop);
}

} // namespace headscope
