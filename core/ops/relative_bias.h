#pragma once

#include "core/tensor/tensor.h"

#include <vector>

namespace headscope {

/// ALiBi slopes 2^(-8j/n), j = 1..n, for n heads when n is a power of two; otherwise the slopes of
/// the next lower power of two c, then the 1st, 3rd, 5th ... of 2c (Press et al. 2022).
std::vector<float> alibiSlopes(std::int64_t heads);

/// Buckets of T5 (Raffel et al. 2020): one per near distance, far ones logarithmic.
struct RelativeBuckets
{
    std::int64_t count = 32;
    std::int64_t maxDistance = 128;
    bool bidirectional = false; ///< Encoders: half of the buckets for keys ahead.

    std::int64_t bucketOf(std::int64_t keyMinusQuery) const;
};

/// Memory of a call, reused by the next one.
struct RelativeBiasScratch
{
    std::vector<std::int64_t> buckets; ///< Bucket of each key - query.
    std::vector<float> diagonals;
    std::vector<double> diagonalSums;
    std::vector<double> bucketSums;
};

/// Relative position bias: bias[h, i, j] = table[bucket(j - (i + firstQuery)), h]. table: [buckets,
/// heads], bias: [heads, queries, keys], overwritten. Throws ShapeError for buckets without a far
/// distance.
void relativeBias(const RelativeBuckets& buckets, TensorView table, std::int64_t firstQuery,
                  MutableTensorView bias, RelativeBiasScratch* memory = nullptr);

/// Adds the gradient of the bias to that of the bias matrix.
void relativeBiasBackward(const RelativeBuckets& buckets, TensorView biasGradient,
                          std::int64_t firstQuery, MutableTensorView tableGradient,
                          RelativeBiasScratch* memory = nullptr);

} // namespace headscope
