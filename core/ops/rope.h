#pragma once

#include "core/ops/rope_frequencies.h"
#include "core/tensor/tensor.h"

namespace headscope {

/// cos and sin of position * frequency, times yarn's attention factor: built in double, rounded
/// once.
struct RopeTable
{
    RopeTable() = default;
    RopeTable(const RopeSettings& settings, std::int64_t dimensions, std::int64_t positions,
              std::int64_t tokens);

    std::int64_t positions() const { return cosines.empty() ? 0 : cosines.shape()[0]; }

    RopeSettings::Layout layout = RopeSettings::Layout::Half;
    Tensor cosines; ///< [positions, R/2]
    Tensor sines;   ///< [positions, R/2]
};

/// Heads that turn in place. Row r has position firstPosition + r % length; R is twice the table's
/// columns, and channels from R on stay as they are.
struct RopeRows
{
    float* data = nullptr; ///< first channel of head 0 in row 0
    std::int64_t rows = 0;
    std::int64_t rowStride = 0; ///< in elements
    std::int64_t heads = 0;
    std::int64_t headStride = 0;
    std::int64_t firstPosition = 0;
    std::int64_t length = 1; ///< of one sequence
};

/// (a, b) -> (a cos - b sin, a sin + b cos). Throws ShapeError beyond the table's positions.
void rope(const RopeTable& table, const RopeRows& x);

/// The transposed rotation, on gradients in place.
void ropeBackward(const RopeTable& table, const RopeRows& gradient);

} // namespace headscope
