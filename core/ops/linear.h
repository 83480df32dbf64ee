#pragma once

#include "core/tensor/tensor.h"

namespace headscope {

/// Linear layer y = x W^T + b. x: [..., in], weight: [out, in], bias: [out] or empty, y: [...,
/// out]. All contiguous. Runs on the calling thread.
void linear(TensorView x, TensorView weight, TensorView bias, MutableTensorView y);

/// Adds x W^T + b to y: a sublayer's output projection written directly into the residual stream.
void linearAdd(TensorView x, TensorView weight, TensorView bias, MutableTensorView y);

/// Gradient destinations; an empty view is not wanted. Overwritten unless the flag says otherwise.
struct LinearGradients
{
    MutableTensorView x;      ///< Gradient of x [..., in].
    MutableTensorView weight; ///< Gradient of the weight [out, in].
    MutableTensorView bias;   ///< Gradient of the bias [out].
    bool addToParameters = false;
    bool addToX = false;
};

/// Computes dx = dy W, dW = dy^T x, db = column sums of dy.
void linearBackward(TensorView x, TensorView weight, TensorView dy,
                    const LinearGradients& gradients);

} // namespace headscope
