#include "core/analysis/flow/attention_gradients.h"

#include "core/analysis/flow/path_integral.h"
#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/model/weights/lazy_parameters.h"
#include "core/trace/trace_recorder.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace headscope {

namespace {

ForwardOptions optionsOf(const AttributionRun& run, const Interventions* interventions)
{
    ForwardOptions options;
    options.interventions = interventions;
    options.stop = run.stop;
    return options;
}

std::int64_t tokensOf(const AttributionRun& run)
{
    return static_cast<std::int64_t>(run.text.ids.size());
}

/// One forward and backward pass: the activations at `keys` and the target's gradients there.
struct Pass
{
    double value = 0.0;
    Trace::Activations activations;
    Trace::Activations gradients;
};

Pass passOf(const AttributionRun& run, const std::vector<TraceKey>& keys,
            const Interventions* interventions)
{
    throwIfStopped(run.stop);
    TraceRecorder activations(keys, tokensOf(run), nullptr);
    TraceRecorder gradients(keys, tokensOf(run), nullptr);
    ForwardOptions options = optionsOf(run, interventions);
    options.observer = &activations;
    Pass pass;
    pass.value = traceGradients(run.model, run.text, run.target, run.backend, gradients, options);
    pass.activations = activations.take();
    pass.gradients = gradients.take();
    return pass;
}

Tensor product(const Tensor& a, const Tensor& b)
{
    Tensor result(a.shape());
    std::transform(a.values().begin(), a.values().end(), b.values().begin(),
                   result.values().begin(), std::multiplies<>());
    return result;
}

double dot(const Tensor& a, const Tensor& b)
{
    return std::transform_reduce(a.values().begin(), a.values().end(), b.values().begin(), 0.0,
                                 std::plus<>(),
                                 [](float x, float y) { return double{x} * double{y}; });
}

std::vector<TraceKey> patternKeys(const ModelConfig& config)
{
    std::vector<TraceKey> keys;
    const auto add = [&keys](Site site, std::int64_t layers, Stack stack) {
        for (int layer = 0; layer < static_cast<int>(layers); ++layer)
            keys.push_back({site, layer, stack});
    };
    if (!config.isEncoderDecoder()) {
        add(Site::Pattern, config.layers, Stack::Blocks);
        return keys;
    }
    add(Site::Pattern, config.layers, Stack::Encoder);
    add(Site::Pattern, config.decoderLayerCount(), Stack::Decoder);
    add(Site::CrossPattern, config.decoderLayerCount(), Stack::Decoder);
    return keys;
}

std::vector<TraceKey> embeddingKeys(const ModelConfig& config)
{
    std::vector<TraceKey> keys{{Site::Embed, 0, Stack::Blocks}};
    if (config.isEncoderDecoder())
        keys.push_back({Site::Embed, 0, Stack::Encoder});
    return keys;
}

bool isAmong(std::span<const TraceKey> keys, TraceKey key)
{
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// Activations that are scaled together from 0 to their computed values.
class Path
{
public:
    Path(const AttributionRun& run, std::vector<TraceKey> keys)
        : m_run(run)
        , m_keys(std::move(keys))
    {
        if (run.interventions)
            m_rest = *run.interventions;
        // Replaced activations are scaled too.
        const auto grows = [this](const auto& change) { return isAmong(m_keys, change.key); };
        std::erase_if(m_rest.patches, grows);
        std::erase_if(m_rest.patternEdits, grows);
    }

    AttentionMaps integrate(const PathSettings& settings, PathResult& result)
    {
        const Pass last = passOf(m_run, m_keys, m_run.interventions);
        for (const TraceKey key : m_keys) {
            if (!last.activations.contains(key) || !last.gradients.contains(key))
                throw Error(fmt::format("the model has no {}", toString(key)),
                            "integrated gradients");
            m_full.push_back(last.activations.at(key));
        }
        const std::vector<PathPoint> points = followPath(
            pointOf(1.0, last), most(settings), settings.tolerance,
            [this](double at) { return pointAt(at); }, m_run.progress);
        result.full = points.back().value;
        result.baseline = points.front().value;
        result.steps = static_cast<int>(points.size());
        result.jumps = jumpsOf(points);
        return products(points, result);
    }

private:
    int most(const PathSettings& settings) const
    {
        const std::size_t values = std::accumulate(
            m_full.begin(), m_full.end(), std::size_t{0},
            [](std::size_t sum, const auto& tensor) { return sum + tensor->size(); });
        const std::size_t fits = settings.memory / std::max<std::size_t>(values * sizeof(float), 1);
        return static_cast<int>(
            std::min<std::size_t>(fits, static_cast<std::size_t>(std::max(settings.steps, 0))));
    }

    PathPoint pointOf(double at, const Pass& pass) const
    {
        PathPoint point;
        point.at = at;
        point.value = pass.value;
        for (std::size_t i = 0; i < m_keys.size(); ++i) {
            const Tensor& gradient = *pass.gradients.at(m_keys[i]);
            point.slope += dot(*m_full[i], gradient);
            point.gradients.push_back(gradient);
        }
        return point;
    }

    PathPoint pointAt(double at) const
    {
        Interventions interventions = m_rest;
        for (std::size_t i = 0; i < m_keys.size(); ++i) {
            auto scaled = std::make_shared<Tensor>(*m_full[i]);
            for (float& value : scaled->values())
                value *= static_cast<float>(at);
            interventions.patches.push_back({m_keys[i], std::move(scaled), {}, {}});
        }
        return pointOf(at, passOf(m_run, m_keys, &interventions));
    }

    AttentionMaps products(std::span<const PathPoint> points, PathResult& result) const
    {
        const std::vector<double> weights = trapezoid(points);
        AttentionMaps maps;
        for (std::size_t i = 0; i < m_keys.size(); ++i) {
            Tensor map(m_full[i]->shape());
            for (std::size_t cell = 0; cell < map.size(); ++cell) {
                double mean = 0.0;
                for (std::size_t point = 0; point < points.size(); ++point)
                    if (weights[point] != 0.0)
                        mean += weights[point] * double{points[point].gradients[i].data()[cell]};
                const double value = mean * double{m_full[i]->data()[cell]};
                map.data()[cell] = static_cast<float>(value);
                result.sum += value;
            }
            maps.emplace(m_keys[i], std::move(map));
        }
        return maps;
    }

    const AttributionRun& m_run;
    std::vector<TraceKey> m_keys;
    Interventions m_rest;
    std::vector<std::shared_ptr<const Tensor>> m_full;
};

/// Sum over each token's channels.
std::vector<double> rowSums(const Tensor& rows)
{
    std::vector<double> sums;
    for (std::int64_t row = 0; row < rows.shape()[0]; ++row) {
        const float* const first = rows.view()[row].data;
        sums.push_back(std::accumulate(first, first + rows.shape()[1], 0.0));
    }
    return sums;
}

void keepSums(InputAttribution& result, const AttentionMaps& maps)
{
    for (const auto& [key, products] : maps)
        (key.stack == Stack::Encoder ? result.source : result.tokens) = rowSums(products);
}

} // namespace

GradientAttention gradientTimesAttention(const AttributionRun& run)
{
    const Pass pass = passOf(run, patternKeys(run.model.config()), run.interventions);
    GradientAttention result;
    result.value = pass.value;
    for (const auto& [key, gradient] : pass.gradients)
        result.maps.emplace(key, product(*pass.activations.at(key), *gradient));
    return result;
}

IntegratedAttention integratedAttention(const AttributionRun& run, std::span<const TraceKey> scaled,
                                        const PathSettings& settings)
{
    IntegratedAttention result;
    result.maps = Path(run, {scaled.begin(), scaled.end()}).integrate(settings, result.path);
    return result;
}

InputAttribution gradientTimesInput(const AttributionRun& run)
{
    const Pass pass = passOf(run, embeddingKeys(run.model.config()), run.interventions);
    AttentionMaps products;
    for (const auto& [key, gradient] : pass.gradients)
        products.emplace(key, product(*pass.activations.at(key), *gradient));
    InputAttribution result;
    keepSums(result, products);
    result.path.full = pass.value;
    return result;
}

InputAttribution integratedInput(const AttributionRun& run, const PathSettings& settings)
{
    InputAttribution result;
    const AttentionMaps products =
        Path(run, embeddingKeys(run.model.config())).integrate(settings, result.path);
    keepSums(result, products);
    return result;
}

} // namespace headscope
