#pragma once

#include "core/tensor/tensor.h"

namespace headscope {

/// y = e^(x - max) / sum over the last axis; -inf gives exactly 0. x, y: [..., n]; y may be x.
/// A row of -inf alone gives NaN: mask such rows before.
void softmax(TensorView x, MutableTensorView y);

/// dx = y * (dy - sum(y dy)). dx may be dy.
void softmaxBackward(TensorView y, TensorView dy, MutableTensorView dx);

} // namespace headscope
