#pragma once

#include "core/tensor/tensor.h"

namespace headscope {

/// Softmax y = e^(x - max) / sum over the last axis; -inf gives exactly 0. x, y: [..., n]; y may be
/// x. A row of -inf alone gives NaN: mask such rows first.
void softmax(TensorView x, MutableTensorView y);

/// Computes dx = y * (dy - sum(y dy)). dx may be dy.
void softmaxBackward(TensorView y, TensorView dy, MutableTensorView dx);

} // namespace headscope
