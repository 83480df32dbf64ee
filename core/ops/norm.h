#pragma once

#include "core/tensor/tensor.h"

namespace headscope {

enum class NormKind {
    Layer,         ///< (x - mean) / sqrt(variance + eps) * gamma + beta, divisor d (Ba et al. 2016)
    Rms,           ///< RMS norm x / sqrt(mean(x^2) + eps) * gamma (Zhang, Sennrich 2019).
    RmsUnitOffset, ///< RMS norm with 1 + gamma (Gemma).
    StdEps,        ///< (x - mean) / (std + eps) * gamma + beta, divisor d - 1 (Annotated
                   ///< Transformer)
    Batch,         ///< Over the tokens of a batch instead of a token's channels: batch_norm.h.
};

/// Statistics that backward needs (Rms kinds: only the second), one number per row. Empty: not
/// wanted.
struct NormStatistics
{
    MutableTensorView mean;             ///< Mean [rows]; not written by the Rms kinds.
    MutableTensorView inverseDeviation; ///< Inverse deviation [rows]: factor of x - mean (or x).
};

struct NormParameters
{
    NormKind kind = NormKind::Layer;
    float epsilon = 1e-5F;
    TensorView gamma; ///< Gamma [d].
    TensorView beta;  ///< Beta [d]; empty for the Rms kinds, and may be empty for the others.
};

/// Normalises the last axis. x, y: [..., d]; y may be x. Throws ShapeError for Batch.
void norm(const NormParameters& parameters, TensorView x, MutableTensorView y,
          const NormStatistics& statistics = {});

struct NormGradients ///< Gradient destinations, all added to.
{
    MutableTensorView x;     ///< Gradient of x [..., d].
    MutableTensorView gamma; ///< Gradient of gamma [d] or empty.
    MutableTensorView beta;  ///< Gradient of beta [d] or empty.
};

void normBackward(const NormParameters& parameters, TensorView x, const NormStatistics& statistics,
                  TensorView dy, const NormGradients& gradients);

} // namespace headscope
