#pragma once

#include "core/tensor/tensor.h"

namespace headscope {

/// table[t, 2i] = sin(t / base^(2i / d)), table[t, 2i + 1] = cos of the same (Vaswani et al. 2017,
/// section 3.5), computed in double. [count, d]; throws ShapeError unless base is above 1.
Tensor sinusoidalPositions(std::int64_t count, std::int64_t d, double base = 10000.0);

/// The angle t / base^(2i / d) of column 2i, and of column 2i + 1.
double sinusoidalAngle(double position, std::int64_t column, std::int64_t d, double base);

} // namespace headscope
