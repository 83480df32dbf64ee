#pragma once

#include "core/tensor/tensor.h"

namespace headscope {

/// What backward needs: one mean and one 1 / sqrt(variance + epsilon) a row. Empty: not wanted.
struct LayerNormStatistics
{
    MutableTensorView mean;             ///< [rows]
    MutableTensorView inverseDeviation; ///< [rows]
};

/// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta over the last axis, variance with
/// divisor d (Ba, Kiros, Hinton 2016). x, y: [..., d], gamma, beta: [d]. y may be x.
void layerNorm(TensorView x, TensorView gamma, TensorView beta, float epsilon, MutableTensorView y,
               const LayerNormStatistics& statistics = {});

struct LayerNormGradients ///< added to, all of them
{
    MutableTensorView x;     ///< [..., d]
    MutableTensorView gamma; ///< [d]
    MutableTensorView beta;  ///< [d]
};

void layerNormBackward(TensorView x, TensorView gamma, const LayerNormStatistics& statistics,
                       TensorView dy, const LayerNormGradients& gradients);

} // namespace headscope
