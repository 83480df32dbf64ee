#pragma once

#include "core/tensor/tensor.h"

namespace headscope {

/// Soft cap y = c tanh(x / c) in place (Gemma 2, 2024, section 2); nothing for c = 0. Any dense
/// shape.
void softCap(float cap, MutableTensorView x);

/// Turns d y into d x in place: times 1 - (y / c)^2. `capped` holds y; nothing for c = 0.
void softCapBackward(float cap, TensorView capped, MutableTensorView gradient);

} // namespace headscope
