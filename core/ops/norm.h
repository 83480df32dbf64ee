#pragma once

#include "core/tensor/tensor.h"

namespace headscope {

enum class NormKind {
    Layer,         ///< (x - mean) / sqrt(variance + eps) * gamma + beta, divisor d (Ba et al. 2016)
    Rms,           ///< x / sqrt(mean(x^2) + eps) * gamma (Zhang, Sennrich 2019)
    RmsUnitOffset, ///< the same with 1 + gamma (Gemma)
    StdEps,        ///< (x - mean) / (std + eps) * gamma + beta, divisor d - 1 (Annotated
                   ///< Transformer)
};

/// What backward needs (of the Rms kinds: only the second), one number a row. Empty: not wanted.
struct NormStatistics
{
    MutableTensorView mean;             ///< [rows]; left alone by the Rms kinds
    MutableTensorView inverseDeviation; ///< [rows]: what x - mean (or x) is multiplied with
};

struct NormParameters
{
    NormKind kind = NormKind::Layer;
    float epsilon = 1e-5F;
    TensorView gamma; ///< [d]
    TensorView beta;  ///< [d]; empty for the Rms kinds, and allowed to be empty for the others
};

/// Over the last axis. x, y: [..., d]; y may be x.
void norm(const NormParameters& parameters, TensorView x, MutableTensorView y,
          const NormStatistics& statistics = {});

struct NormGradients ///< added to, all of them
{
    MutableTensorView x;     ///< [..., d]
    MutableTensorView gamma; ///< [d] or empty
    MutableTensorView beta;  ///< [d] or empty
};

void normBackward(const NormParameters& parameters, TensorView x, const NormStatistics& statistics,
                  TensorView dy, const NormGradients& gradients);

} // namespace headscope
