#pragma once

#include "core/model/model.h"

#include <span>
#include <string>
#include <vector>

namespace headscope {

/// A linear function of a stream's channels: the effect of a part on a number further on.
using Direction = std::vector<double>;

double along(const Direction& direction, const float* part);

/// A parameter, or an empty view if the model has none of that name.
TensorView parameterOrNothing(const Model& model, const std::string& name);

/// One row of a parameter; of packed weights only this row is unpacked.
std::vector<float> parameterRow(const Model& model, const std::string& name, std::int64_t row);

/// Offset added to gamma: 1 where the model stores gamma - 1.
double gainOffset(const ModelConfig& config);

/// Name of the norm of what attention adds, of a block such as "h.3", in a model that has one.
std::string attentionOutputNorm(const ModelConfig& config, const std::string& block);

/// A norm with frozen statistics of one stream x: linear in all summands of x.
struct FrozenNorm
{
    double mean = 0.0;
    double inverseDeviation = 1.0;
};

/// Frozen norm of the model's kind; `x` has d channels. BatchNorm is linear in use and needs none.
FrozenNorm frozenNorm(const ModelConfig& config, std::span<const float> x);

/// The norm `name` of x, with frozen statistics of x: in double.
std::vector<double> normedRow(const Model& model, const std::string& name, const FrozenNorm& frozen,
                              std::span<const float> x);

/// Pulls a direction after the norm `name` back to before it: the effect of a part of x is then
/// part . direction. Returns the effect of beta, with BatchNorm of the whole shift of its channels.
double pullThroughNorm(const Model& model, const std::string& name, const FrozenNorm& frozen,
                       Direction& direction);

} // namespace headscope
