#include "core/analysis/lens/frozen_norm.h"

#include "core/base/error.h"
#include "core/model/weights/lazy_parameters.h"
#include "core/model/weights/model_norm.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace headscope {

namespace {

bool isCentred(Norm kind)
{
    return kind == Norm::Layer || kind == Norm::StdEps;
}

double inverseDeviation(const ModelConfig& config, std::span<const float> x, double mean)
{
    double squares = 0.0;
    for (const float value : x)
        squares += (double{value} - mean) * (double{value} - mean);
    const auto count = static_cast<double>(x.size());
    if (config.norm == Norm::StdEps)
        return 1.0 / (std::sqrt(squares / (count - 1.0)) + config.normEpsilon);
    return 1.0 / std::sqrt(squares / count + config.normEpsilon);
}

} // namespace

double gainOffset(const ModelConfig& config)
{
    return config.norm == Norm::RmsUnitOffset ? 1.0 : 0.0;
}

std::string attentionOutputNorm(const ModelConfig& config, const std::string& block)
{
    return block + (config.normPosition == NormPosition::Both ? ".ln1_out" : ".ln1");
}

double along(const Direction& direction, const float* part)
{
    double sum = 0.0;
    for (std::size_t channel = 0; channel < direction.size(); ++channel)
        sum += direction[channel] * double{part[channel]};
    return sum;
}

TensorView parameterOrNothing(const Model& model, const std::string& name)
{
    const ParameterSpec* const spec = model.parameters().find(name);
    return spec ? model.parameters().view(*spec) : TensorView();
}

std::vector<float> parameterRow(const Model& model, const std::string& name, std::int64_t row)
{
    const ParameterSpec* const spec = model.parameters().find(name);
    if (!spec || row < 0 || row >= spec->shape[0])
        throw ShapeError(fmt::format("no row {} of a parameter \"{}\"", row, name), "parameterRow");
    std::vector<float> values(static_cast<std::size_t>(spec->shape[1]));
    if (const LazyParameters* const stored = model.parameters().stored()) {
        unpackRow(stored->parameter(stored->indexAt(spec->offset)), row, values);
        stored->requireUnchanged();
        return values;
    }
    const float* const first = model.parameters().view(*spec)[row].data;
    values.assign(first, first + values.size());
    return values;
}

FrozenNorm frozenNorm(const ModelConfig& config, std::span<const float> x)
{
    FrozenNorm frozen;
    if (isCentred(config.norm))
        frozen.mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
    frozen.inverseDeviation = inverseDeviation(config, x, frozen.mean);
    return frozen;
}

std::vector<double> normedRow(const Model& model, const std::string& name, const FrozenNorm& frozen,
                              std::span<const float> x)
{
    std::vector<double> normed;
    if (model.config().norm == Norm::Batch) {
        const ChannelMap map = batchNormInUse(model.config(), model.parameters(), name);
        for (std::size_t channel = 0; channel < x.size(); ++channel)
            normed.push_back(map.factor[channel] * double{x[channel]} + map.shift[channel]);
        return normed;
    }
    const TensorView gamma = parameterOrNothing(model, name + ".weight");
    const TensorView beta = parameterOrNothing(model, name + ".bias");
    const double offset = gainOffset(model.config());
    for (std::int64_t channel = 0; channel < gamma.shape[0]; ++channel)
        normed.push_back((double{x[static_cast<std::size_t>(channel)]} - frozen.mean) *
                             frozen.inverseDeviation * (offset + double{gamma(channel)}) +
                         (beta ? double{beta(channel)} : 0.0));
    return normed;
}

double pullThroughNorm(const Model& model, const std::string& name, const FrozenNorm& frozen,
                       Direction& direction)
{
    if (model.config().norm == Norm::Batch) {
        const ChannelMap map = batchNormInUse(model.config(), model.parameters(), name);
        const double shift =
            std::inner_product(direction.begin(), direction.end(), map.shift.begin(), 0.0);
        std::transform(direction.begin(), direction.end(), map.factor.begin(), direction.begin(),
                       std::multiplies<>());
        return shift;
    }
    const TensorView gamma = parameterOrNothing(model, name + ".weight");
    const TensorView beta = parameterOrNothing(model, name + ".bias");
    const double bias = beta ? along(direction, beta.data) : 0.0;
    const double offset = gainOffset(model.config());
    for (std::size_t channel = 0; channel < direction.size(); ++channel)
        direction[channel] *=
            frozen.inverseDeviation * (offset + double{gamma(static_cast<std::int64_t>(channel))});
    // sum_c (x_c - mean x) g_c = sum_c x_c (g_c - mean g)
    if (isCentred(model.config().norm)) {
        const double mean = std::accumulate(direction.begin(), direction.end(), 0.0) /
                            static_cast<double>(direction.size());
        for (double& value : direction)
            value -= mean;
    }
    return bias;
}

} // namespace headscope
