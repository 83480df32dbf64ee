#include "core/analysis/causal/hidden_state_sweep.h"

#include "core/base/stopwatch.h"
#include "core/model/pass/site_shape.h"
#include "core/trace/trace_recorder.h"

#include <cmath>
#include <limits>

namespace headscope {

namespace {

/// Residual stream [n, d] after the last block.
std::shared_ptr<const Tensor> lastStates(const Model& model, const CausalText& text,
                                         const Interventions& changes, AttentionBackend& backend,
                                         std::stop_token stop)
{
    const ModelConfig& config = model.config();
    const Stack stack = config.mainStack();
    const TraceKey last{Site::ResidPost, static_cast<int>(layerCount(config, stack)) - 1, stack};
    TraceRecorder recorder({last}, static_cast<std::int64_t>(text.ids.size()), nullptr);
    KvCache cache(config);
    ForwardOptions options;
    options.stop = std::move(stop);
    if (config.isEncoderDecoder())
        model.encode(text.source, backend, cache, options);
    options.observer = &recorder;
    options.interventions = &changes;
    options.segments = text.segments;
    model.forward(text.ids, backend, cache, options);
    return recorder.take().at(last);
}

} // namespace

double turnOf(TensorView before, TensorView after)
{
    double sum = 0.0;
    for (std::int64_t row = 0; row < before.shape[0]; ++row) {
        double dot = 0.0;
        double ofBefore = 0.0;
        double ofAfter = 0.0;
        for (std::int64_t channel = 0; channel < before.shape[1]; ++channel) {
            const auto a = static_cast<double>(before(row, channel));
            const auto b = static_cast<double>(after(row, channel));
            dot += a * b;
            ofBefore += a * a;
            ofAfter += b * b;
        }
        const double lengths = std::sqrt(ofBefore * ofAfter);
        sum += lengths > 0.0 ? 1.0 - dot / lengths : std::numeric_limits<double>::quiet_NaN();
    }
    return sum / static_cast<double>(before.shape[0]);
}

AblationSweep hiddenStateSweep(const Model& model, const CausalText& text,
                               const BackendFactory& backends, Progress& progress)
{
    const Stopwatch watch;
    const auto before = lastStates(model, text, {}, *makeBackend(backends), progress.stop());
    AblationSweep sweep;
    sweep.plainSeconds = watch.seconds();
    const Stack stack = model.config().mainStack();
    const int layers = static_cast<int>(layerCount(model.config(), stack));
    const int heads = static_cast<int>(model.config().heads);
    for (int layer = 0; layer < layers; ++layer)
        for (int head = 0; head < heads; ++head)
            sweep.heads.push_back({{selfAttentionOf(stack), layer, head}, 0.0, 0.0});
    forEachPass(sweep.heads.size(), backends, progress,
                [&](std::size_t index, AttentionBackend& backend) {
                    HeadEffect& effect = sweep.heads[index];
                    Interventions changes;
                    changes.ablatedHeads = {effect.head};
                    const auto after = lastStates(model, text, changes, backend, progress.stop());
                    effect.metric = effect.effect = turnOf(before->view(), after->view());
                });
    sweep.seconds = watch.seconds();
    return sweep;
}

} // namespace headscope
