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

/// Soft cap y = c tanh(x / c) in place (Gemma 2, 2024, section 2); nothing for c = 0. Any dense
/// shape.
void softCap(float cap, MutableTensorView x);

/// Turns d y into d x in place: times 1 - (y / c)^2. `capped` holds y; nothing for c = 0.
void softCapBackward(float cap, TensorView capped, MutableTensorView gradient);

} // namespace headscope
