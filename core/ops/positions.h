#pragma once

#include "core/tensor/tensor.h"

namespace headscope {

/// Order of the sine and cosine of pair i: columns 2i and 2i + 1 (Vaswani et al. 2017, section
/// 3.5), or i and ceil(d / 2) + i.
enum class SinusoidLayout { Interleaved, Concatenated };

/// Sinusoidal matrix [count, d]: row t holds sin and cos of t / base^(2i / d), i < d/2, computed in
/// double (an odd d ends with a sine). Throws ShapeError unless base is above 1.
Tensor sinusoidalPositions(std::int64_t count, std::int64_t d, double base = 10000.0,
                           SinusoidLayout layout = SinusoidLayout::Interleaved);

/// Angle t / base^(2i / d) of columns 2i and 2i + 1.
double sinusoidalAngle(double position, std::int64_t column, std::int64_t d, double base);

/// Matrix A_k with table[t + k] = A_k table[t] for every t: 2 x 2 rotations along the diagonal of
/// the interleaved layout, [d, d]. k may be negative and need not be whole; throws ShapeError for
/// an odd d.
Tensor rotationOf(double k, std::int64_t d, double base = 10000.0);

} // namespace headscope
