#pragma once

#include "core/model/config/model_config.h"
#include "core/model/weights/parameters.h"

#include <string>

namespace headscope {

/// Applies the norm `name` ("ln_f", "h.0.ln1") of a model in use, of whatever kind; y may be x.
void applyNorm(const ModelConfig& config, const ParameterSet& parameters, const std::string& name,
               TensorView x, MutableTensorView y);

/// Overwrites dx with the gradient of x.
void applyNormBackward(const ModelConfig& config, const ParameterSet& parameters,
                       const std::string& name, TensorView x, TensorView dy, MutableTensorView dx);

/// BatchNorm in use as what it is then: y = factor x + shift in each channel.
struct ChannelMap
{
    std::vector<double> factor;
    std::vector<double> shift;
};

ChannelMap batchNormInUse(const ModelConfig& config, const ParameterSet& parameters,
                          const std::string& name);

} // namespace headscope
