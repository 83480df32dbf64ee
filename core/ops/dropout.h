#pragma once

#include "core/tensor/tensor.h"

namespace headscope {

/// Dropout mask of one site (Srivastava et al. 2014). The decision for row r, column c is made by
/// 16 bits of mixBits(key + r * ceil(columns / 4) + c / 4), key from (seed, step, site): it does
/// not depend on threads, order or how rows are split. The probability is rounded to 1 / 65536.
class Dropout
{
public:
    Dropout(double probability, std::uint64_t seed, std::uint64_t step, std::uint64_t site);

    bool active() const { return m_threshold != 0; }

    float probability() const; ///< Probability after rounding.
    bool keeps(std::int64_t row, std::int64_t column, std::int64_t columns) const;

    /// Applies y = x / (1 - p) where kept, else 0. Row i of x: [..., columns] is row firstRow + i
    /// of the site. y may be x. The backward pass is the same call on the gradient.
    void apply(TensorView x, MutableTensorView y, std::int64_t firstRow = 0) const;
    /// Adds the same to y.
    void add(TensorView x, MutableTensorView y, std::int64_t firstRow = 0) const;

    /// Writes 1 for kept values of [rows, columns] from firstRow on.
    void keepMask(std::uint8_t* keep, std::int64_t firstRow, std::int64_t rows,
                  std::int64_t columns) const;

private:
    std::uint64_t m_key = 0;
    std::uint32_t m_threshold = 0;
};

} // namespace headscope
