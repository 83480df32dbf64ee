#include "core/analysis/scores/gradient_importance.h"

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/model/pass/site_shape.h"
#include "core/trace/trace_recorder.h"

#include <cmath>

namespace headscope {

namespace {

std::vector<TraceKey> headOutputs(const ModelConfig& config)
{
    const Stack stack = config.mainStack();
    std::vector<TraceKey> keys;
    for (int layer = 0; layer < static_cast<int>(layerCount(config, stack)); ++layer)
        keys.push_back({Site::Z, layer, stack});
    return keys;
}

double dot(TensorView a, TensorView b, std::int64_t row, std::int64_t head)
{
    const float* const one = &a(row, head, 0);
    const float* const other = &b(row, head, 0);
    double sum = 0.0;
    for (std::int64_t channel = 0; channel < a.shape[2]; ++channel)
        sum += double{one[channel]} * double{other[channel]};
    return sum;
}

/// Adds one layer of one text: sums, which are divided after the last text.
void addLayer(HeadImportance& sums, int layer, TensorView z, TensorView gradient)
{
    for (std::int64_t head = 0; head < z.shape[1]; ++head) {
        double gate = 0.0;
        double magnitude = 0.0;
        for (std::int64_t row = 0; row < z.shape[0]; ++row) {
            const double product = dot(z, gradient, row, head);
            gate += product;
            magnitude += std::abs(product);
        }
        const auto place = static_cast<std::size_t>(layer * sums.heads + static_cast<int>(head));
        sums.gate[place] += gate;
        sums.byGate[place] += std::abs(gate);
        sums.byPosition[place] += magnitude;
    }
}

void divide(std::vector<double>& values, std::int64_t count)
{
    for (double& value : values)
        value /= static_cast<double>(count);
}

void addText(HeadImportance& sums, const Model& model, const ImportanceText& text,
             AttentionBackend& backend, ForwardOptions options)
{
    const std::vector<TraceKey> keys = headOutputs(model.config());
    const auto tokens = static_cast<std::int64_t>(text.text.ids.size());
    TraceRecorder gradients(keys, tokens, nullptr);
    TraceRecorder outputs(keys, tokens, nullptr);
    options.observer = &outputs;
    traceGradients(model, text.text, text.target, backend, gradients, options);
    const Trace::Activations slopes = gradients.take();
    const Trace::Activations values = outputs.take();
    for (const TraceKey key : keys)
        addLayer(sums, key.layer, values.at(key)->view(), slopes.at(key)->view());
    ++sums.texts;
    sums.positions += tokens;
}

} // namespace

HeadImportance headImportance(const Model& model, std::span<const ImportanceText> texts,
                              AttentionBackend& backend, const Interventions* interventions,
                              const std::stop_token& stop,
                              const std::function<void(double)>& progress)
{
    if (texts.empty())
        throw Error("no text to average over", "head importance", "Give at least one");
    HeadImportance result;
    result.layers = static_cast<int>(headOutputs(model.config()).size());
    result.heads = static_cast<int>(model.config().heads);
    const auto heads =
        static_cast<std::size_t>(result.layers) * static_cast<std::size_t>(result.heads);
    for (auto* values : {&result.gate, &result.byGate, &result.byPosition})
        values->resize(heads);
    ForwardOptions options;
    options.interventions = interventions;
    options.stop = stop;
    for (const ImportanceText& text : texts) {
        throwIfStopped(stop);
        addText(result, model, text, backend, options);
        if (progress)
            progress(static_cast<double>(result.texts) / static_cast<double>(texts.size()));
    }
    divide(result.gate, result.texts);
    divide(result.byGate, result.texts);
    divide(result.byPosition, result.positions);
    return result;
}

} // namespace headscope
