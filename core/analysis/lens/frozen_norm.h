#pragma once

#include "core/model/model.h"

#include <span>
#include <string>
#include <vector>

namespace headscope {

/// A linear function of a stream's channels: what a part adds to a number further on.
using Direction = std::vector<double>;

double along(const Direction& direction, const float* part);

/// A parameter, or an empty view where the model has none of that name.
TensorView parameterOrNothing(const Model& model, const std::string& name);

/// One row of a parameter, which alone is unpacked where weights are stored.
std::vector<float> parameterRow(const Model& model, const std::string& name, std::int64_t row);

/// A norm with the statistics of one stream x held fast: linear in everything that x is made of.
struct FrozenNorm
{
    double mean = 0.0;
    double inverseDeviation = 1.0;
};

/// Of the model's kind of norm; `x` has d channels.
FrozenNorm frozenNorm(const ModelConfig& config, std::span<const float> x);

/// The norm `name` of x, from frozen statistics of x: in double.
std::vector<double> normedRow(const Model& model, const std::string& name, const FrozenNorm& frozen,
                              std::span<const float> x);

/// Takes a direction behind the norm `name` back to before it: what a part of x adds is then
/// part . direction. Returns what beta adds.
double pullThroughNorm(const Model& model, const std::string& name, const FrozenNorm& frozen,
                       Direction& direction);

} // namespace headscope
