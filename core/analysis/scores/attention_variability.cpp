#include "core/analysis/scores/attention_variability.h"

#include "core/analysis/scores/undefined.h"
#include "core/base/error.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace headscope {

namespace {

void requireReach(TensorView pattern, std::int64_t positions)
{
    if (pattern.shape.rank() != 2 || pattern.shape[0] < positions || pattern.shape[1] < positions)
        throw ShapeError(fmt::format("a pattern {} for the first {} positions",
                                     pattern.shape.toString(), positions),
                         "attentionVariability");
}

std::vector<std::shared_ptr<const Tensor>> patternsOf(std::span<const TracePtr> traces, Stack stack,
                                                      int layer)
{
    std::vector<std::shared_ptr<const Tensor>> patterns;
    for (const TracePtr& trace : traces) {
        patterns.push_back(trace->find({Site::Pattern, layer, stack}));
        if (!patterns.back())
            throw Error(fmt::format("a trace contains no pattern of layer {}", layer),
                        "attentionVariability", "Trace the patterns of all layers");
        if (patterns.back()->shape()[0] != patterns.front()->shape()[0])
            throw ShapeError("traces of models with different heads", "attentionVariability");
    }
    return patterns;
}

} // namespace

double attentionVariability(std::span<const TensorView> patterns, std::int64_t positions)
{
    for (const TensorView& pattern : patterns)
        requireReach(pattern, positions);
    if (patterns.size() < 2 || positions < 1)
        return kUndefined;
    double moved = 0.0;
    double all = 0.0;
    for (std::int64_t query = 0; query < positions; ++query)
        for (std::int64_t key = 0; key < positions; ++key) {
            double sum = 0.0;
            for (const TensorView& pattern : patterns)
                sum += static_cast<double>(pattern(query, key));
            const double mean = sum / static_cast<double>(patterns.size());
            for (const TensorView& pattern : patterns)
                moved += std::abs(static_cast<double>(pattern(query, key)) - mean);
            all += sum;
        }
    return all > 0.0 ? moved / (2.0 * all) : kUndefined;
}

Variability attentionVariability(std::span<const TracePtr> traces, Stack stack,
                                 std::int64_t positions)
{
    Variability result;
    result.texts = traces.size();
    result.positions = traces.empty() ? 0 : positions;
    for (const TracePtr& trace : traces) {
        if (trace->layerCount(selfAttentionOf(stack)) !=
            traces.front()->layerCount(selfAttentionOf(stack)))
            throw ShapeError("traces of models with different layers", "attentionVariability");
        const TokenSequence& tokens =
            stack == Stack::Encoder ? trace->sourceTokens() : trace->tokens();
        result.positions = std::min(result.positions, static_cast<std::int64_t>(tokens.size()));
    }
    for (int layer = 0;
         !traces.empty() && layer < traces.front()->layerCount(selfAttentionOf(stack)); ++layer) {
        const auto patterns = patternsOf(traces, stack, layer);
        std::vector<double>& heads = result.heads.emplace_back();
        for (std::int64_t head = 0; head < patterns.front()->shape()[0]; ++head) {
            std::vector<TensorView> views;
            for (const auto& pattern : patterns)
                views.push_back(pattern->view()[head]);
            heads.push_back(attentionVariability(views, result.positions));
        }
    }
    return result;
}

} // namespace headscope
