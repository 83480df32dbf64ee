#pragma once

#include "core/ops/rope_frequencies.h"
#include "core/tensor/tensor.h"

namespace headscope {

/// Table of cos and sin of position * frequency, times YaRN's attention factor: computed in double,
/// rounded once.
struct RopeTable
{
    RopeTable() = default;
    RopeTable(const RopeSettings& settings, std::int64_t dimensions, std::int64_t positions,
              std::int64_t tokens);

    std::int64_t positions() const { return cosines.empty() ? 0 : cosines.shape()[0]; }

    RopeSettings::Layout layout = RopeSettings::Layout::Half;
    Tensor cosines; ///< Cosines [positions, R/2].
    Tensor sines;   ///< Sines [positions, R/2].
};

/// Heads to rotate in place. Row r has position firstPosition + r % length; R is twice the table's
/// columns, and channels from R on are unchanged.
struct RopeRows
{
    float* data = nullptr; ///< First channel of head 0 in row 0.
    std::int64_t rows = 0;
    std::int64_t rowStride = 0; ///< Stride in elements.
    std::int64_t heads = 0;
    std::int64_t headStride = 0;
    std::int64_t firstPosition = 0;
    std::int64_t length = 1; ///< Length of one sequence.
};

/// Rotates (a, b) -> (a cos - b sin, a sin + b cos). Throws ShapeError beyond the table's
/// positions.
void rope(const RopeTable& table, const RopeRows& x);

/// Applies the transposed rotation to gradients, in place.
void ropeBackward(const RopeTable& table, const RopeRows& gradient);

} // namespace headscope
