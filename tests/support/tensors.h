#pragma once

#include "core/base/random.h"
#include "core/tensor/tensor.h"

#include <numeric>
#include <span>

namespace headscope::test {

inline Tensor randomTensor(const Shape& shape, std::uint64_t seed, double scale = 1.0)
{
    Tensor tensor(shape);
    Random random(seed);
    for (float& value : tensor.values())
        value = static_cast<float>(scale * random.normal());
    return tensor;
}

/// The scalar whose gradient an operator's backward gives for the upstream gradient `weights`.
inline double weightedSum(const Tensor& values, const Tensor& weights)
{
    return std::inner_product(
        values.values().begin(), values.values().end(), weights.values().begin(), 0.0,
        [](double a, double b) { return a + b; },
        [](float a, float b) { return static_cast<double>(a) * b; });
}

inline std::span<const float> floats(const Tensor& tensor)
{
    return tensor.values();
}

} // namespace headscope::test
