#pragma once

#include "core/tensor/tensor.h"

namespace headscope {

enum class ActivationKind { Relu, GeluExact, GeluTanh };

/// y = f(x + bias), bias: [columns] or empty. x, y: [..., columns]; y may be x. `sum`, where
/// wanted, receives x + bias for backward; it may be x when y is not.
void activation(ActivationKind kind, TensorView x, TensorView bias, MutableTensorView y,
                MutableTensorView sum = {});

/// gradient: d y on entry, d x on return. `sum` is the forward's; `y`, where wanted, receives
/// f(sum) once more, so that the forward need not keep it. biasGradient, where wanted, is added to.
void activationBackward(ActivationKind kind, TensorView sum, MutableTensorView gradient,
                        MutableTensorView y = {}, MutableTensorView biasGradient = {});

} // namespace headscope
