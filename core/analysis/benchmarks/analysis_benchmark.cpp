#include "core/analysis/benchmarks/analysis_benchmark.h"

#include "core/analysis/benchmarks/head_score_speed.h"
#include "core/analysis/causal/ablation_sweep.h"
#include "core/attention/cpu_attention.h"
#include "core/base/median.h"
#include "core/base/random.h"
#include "core/base/stopwatch.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headscope {

namespace {

std::shared_ptr<const Model> randomModel(const AnalysisCase& shape)
{
    constexpr std::uint64_t kSeed = 12;
    ModelConfig config;
    config.layers = shape.layers;
    config.heads = shape.heads;
    config.dModel = std::int64_t{64} * shape.heads;
    config.dFf = 4 * config.dModel;
    config.vocabularySize = 4096;
    config.maxLen = shape.tokens;
    return std::make_shared<const Model>(Model::initialised(config, kSeed));
}

CausalText randomText(const AnalysisCase& shape)
{
    Random random(21);
    CausalText text;
    for (std::int64_t index = 0; index < shape.tokens; ++index)
        text.ids.push_back(static_cast<TokenId>(random.below(4096)));
    return text;
}

/// The metric of a complete forward pass with one head ablated.
double wholePass(const Model& model, const CausalText& text, const GradientTarget& metric,
                 const HeadId& head, AttentionBackend& backend)
{
    Interventions changes;
    changes.ablatedHeads = {head};
    KvCache cache(model.config());
    ForwardOptions options;
    options.interventions = &changes;
    return metricOf(metric, text.ids, model.forward(text.ids, backend, cache, options).view());
}

} // namespace

ScoresTiming measureScores(const AnalysisCase& shape, Progress& progress)
{
    const LoadedModel model{"random", randomModel(shape), nullptr};
    progress.expect(static_cast<std::uint64_t>(shape.rounds) + 1);
    std::vector<double> forward;
    std::vector<double> scores;
    for (int round = 0; round <= shape.rounds; ++round) {
        const HeadScoreSpeed one = measureHeadScores(model, shape.tokens, 1, progress.stop());
        if (round > 0) { // the first forward pass packs the weights
            forward.push_back(one.forwardMs);
            scores.push_back(one.scoresMs);
        }
        progress.add(1);
    }
    return {shape, median(forward), median(scores)};
}

AblationTiming measureAblation(const AnalysisCase& shape, Progress& progress)
{
    const auto model = randomModel(shape);
    const auto resumed = std::make_shared<const ResumedForward>(model);
    AblationRequest request;
    request.text = randomText(shape);
    request.metric.kind = GradientTarget::Kind::Loss;
    CpuAttention backend;
    const auto heads =
        static_cast<std::uint64_t>(shape.layers) * static_cast<std::uint64_t>(shape.heads);
    progress.expect(heads * static_cast<std::uint64_t>(shape.rounds));
    wholePass(*model, request.text, request.metric, {0, 0}, backend); // packs the weights
    std::vector<double> sweeps;
    std::vector<double> passes;
    AblationTiming timing{shape, static_cast<int>(heads)};
    for (int round = 0; round < shape.rounds; ++round) {
        Progress own(progress.stop());
        const Stopwatch watch;
        const AblationSweep sweep = ablationSweep(resumed, request, {}, own);
        sweeps.push_back(watch.milliseconds());
        double spent = 0.0;
        for (const HeadEffect& effect : sweep.heads) {
            const Stopwatch passWatch;
            const double metric =
                wholePass(*model, request.text, request.metric, effect.head, backend);
            spent += passWatch.milliseconds();
            timing.largestError = std::max(timing.largestError, std::abs(metric - effect.metric));
            progress.add(1);
        }
        passes.push_back(spent);
    }
    timing.sweepMs = median(sweeps);
    timing.passesMs = median(passes);
    return timing;
}

} // namespace headscope
