#pragma once

#include "core/tensor/tensor.h"

namespace headscope {

enum class ActivationKind {
    Relu,      ///< Rectifier max(x, 0).
    GeluExact, ///< GELU x Phi(x) (Hendrycks, Gimpel 2016).
    GeluTanh,  ///< GELU's tanh approximation.
    Silu,      ///< SiLU x sigmoid(x), also called swish.
    QuickGelu, ///< Approximation x sigmoid(1.702 x).
    Sigmoid,
    Tanh,
    Softplus, ///< Softplus log(1 + e^x).
};

/// Computes y = f(x + bias), bias: [columns] or empty. x, y: [..., columns]; y may be x. `sum`,
/// where wanted, receives x + bias for backward; it may be x when y is not.
void activation(ActivationKind kind, TensorView x, TensorView bias, MutableTensorView y,
                MutableTensorView sum = {});

/// Turns `gradient` from d y into d x. `sum` is the forward's; `y`, where wanted, receives
/// f(sum) once more, so that the forward need not keep it. biasGradient, where wanted, is added to.
void activationBackward(ActivationKind kind, TensorView sum, MutableTensorView gradient,
                        MutableTensorView y = {}, MutableTensorView biasGradient = {});

} // namespace headscope
