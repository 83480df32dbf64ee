#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>

namespace headscope {

// Batch normalisation of the rows of a batch, channel by channel (Ioffe, Szegedy 2015, algorithm 1):
// y = (x - mean) / sqrt(variance + eps) * gamma + beta, with the moments of the batch in training
// and running moments in use.

struct BatchNormParameters
{
    float epsilon = 1e-5F;
    TensorView gamma; ///< Gamma [d].
    TensorView beta;  ///< Beta [d].
};

/// Moments of each channel: of a batch, or running ones.
struct BatchMoments
{
    TensorView mean;     ///< Mean [d].
    TensorView variance; ///< Variance [d], divisor n.
};

/// Rows whose moments count: padding does not.
struct CountedRows
{
    const std::uint8_t* mask = nullptr; ///< Mask [rows], 0 = padding; null: every row counts.
    std::int64_t rows = 0;

    bool contains(std::int64_t row) const { return mask == nullptr || mask[row] != 0; }

    std::int64_t count() const;
};

/// Moments of x [rows, d] over the counted rows, summed in double. Throws ShapeError if no row
/// counts.
void batchMoments(TensorView x, const CountedRows& counted, MutableTensorView mean,
                  MutableTensorView variance);

/// Normalises all rows, padding too. x, y: [rows, d]; y may be x.
void batchNorm(const BatchNormParameters& parameters, const BatchMoments& moments, TensorView x,
               MutableTensorView y);

struct BatchNormGradients ///< Gradient destinations, all added to.
{
    MutableTensorView x;     ///< Gradient of x [rows, d].
    MutableTensorView gamma; ///< Gradient of gamma [d] or empty.
    MutableTensorView beta;  ///< Gradient of beta [d] or empty.
};

/// Backward pass through moments that are constants: in use.
void fixedNormBackward(const BatchNormParameters& parameters, const BatchMoments& moments,
                       TensorView x, TensorView dy, const BatchNormGradients& gradients);

/// Backward pass through the moments of the counted rows as well: in training.
void batchNormBackward(const BatchNormParameters& parameters, const BatchMoments& moments,
                       const CountedRows& counted, TensorView x, TensorView dy,
                       const BatchNormGradients& gradients);

} // namespace headscope
