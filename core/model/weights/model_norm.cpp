#include "core/model/weights/model_norm.h"

#include "core/model/weights/running_statistics.h"
#include "core/ops/batch_norm.h"
#include "core/ops/norm.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

BatchNormParameters batchParameters(const ModelConfig& config, const ParameterSet& parameters,
                                    const std::string& name)
{
    return {static_cast<float>(config.normEpsilon), parameters.view(name + ".weight"),
            parameters.view(name + ".bias")};
}

BatchMoments runningMoments(const ParameterSet& parameters, const std::string& name)
{
    return {parameters.view(name + kRunningMean), parameters.view(name + kRunningVariance)};
}

NormParameters rowParameters(const ModelConfig& config, const ParameterSet& parameters,
                             const std::string& name)
{
    return {config.norm, static_cast<float>(config.normEpsilon), parameters.view(name + ".weight"),
            config.hasNormBias() ? parameters.view(name + ".bias") : TensorView()};
}

} // namespace

void applyNorm(const ModelConfig& config, const ParameterSet& parameters, const std::string& name,
               TensorView x, MutableTensorView y)
{
    if (config.norm == Norm::Batch)
        batchNorm(batchParameters(config, parameters, name), runningMoments(parameters, name), x,
                  y);
    else
        norm(rowParameters(config, parameters, name), x, y);
}

void applyNormBackward(const ModelConfig& config, const ParameterSet& parameters,
                       const std::string& name, TensorView x, TensorView dy, MutableTensorView dx)
{
    std::fill_n(dx.data, dx.shape.elementCount(), 0.0F);
    if (config.norm == Norm::Batch) {
        fixedNormBackward(batchParameters(config, parameters, name),
                          runningMoments(parameters, name), x, dy, {dx, {}, {}});
        return;
    }
    const std::int64_t rows = x.shape[0];
    Tensor scratch(x.shape); // the forward pass yields the statistics
    Tensor mean({rows});
    Tensor deviation({rows});
    const NormStatistics statistics{mean.view(), deviation.view()};
    const NormParameters norms = rowParameters(config, parameters, name);
    norm(norms, x, scratch.view(), statistics);
    normBackward(norms, x, statistics, dy, {dx, {}, {}});
}

ChannelMap batchNormInUse(const ModelConfig& config, const ParameterSet& parameters,
                          const std::string& name)
{
    const BatchNormParameters norms = batchParameters(config, parameters, name);
    const BatchMoments moments = runningMoments(parameters, name);
    ChannelMap map;
    for (std::int64_t channel = 0; channel < norms.gamma.shape[0]; ++channel) {
        const double factor = double{norms.gamma(channel)} /
                              std::sqrt(double{moments.variance(channel)} + config.normEpsilon);
        map.factor.push_back(factor);
        map.shift.push_back(double{norms.beta(channel)} - double{moments.mean(channel)} * factor);
    }
    return map;
}

} // namespace headscope
