#pragma once

// The activation functions for sources that headscope_isa_sources compiles several times: a value
// and a slope at 16 places. As in simd.h, everything has internal linkage.

#include "core/ops/kernels/simd.h"

namespace headscope {
namespace {

struct ValueAndSlope
{
    FloatVector value;
    FloatVector slope;
};

/// ReLU: max(x, 0), slope 0 at 0.
struct Relu
{
    static HEADSCOPE_INLINE ValueAndSlope at(FloatVector x)
    {
        return {x < 0.0F ? FloatVector{} : x, x > 0.0F ? broadcast(1.0F) : FloatVector{}};
    }
};

/// GELU: x Phi(x), slope Phi(x) + x phi(x). Phi(-z) = e^(-z^2/2) P(1 / (1 + 0.3 z)) for z >= 0, the
/// form of Abramowitz and Stegun 7.1.26 with eight coefficients fitted to a relative error of
/// 1.3e-7.
struct GeluExact
{
    static HEADSCOPE_INLINE ValueAndSlope at(FloatVector x)
    {
        const FloatVector z = x < 0.0F ? -x : x;
        const FloatVector bell = exponential(z * z * -0.5F);
        const FloatVector t = 1.0F / (z * 0.3F + 1.0F);
        FloatVector p = t * 3.593328688e-2F - 1.582821471e-1F;
        p = p * t + 2.082165898e-1F;
        p = p * t - 5.540243456e-2F;
        p = p * t + 1.294734114e-1F;
        p = p * t + 9.963631905e-2F;
        p = p * t + 1.207985305e-1F;
        p = p * t + 1.196263795e-1F;
        const FloatVector tail = p * t * bell;
        const FloatVector phi = x > 0.0F ? 1.0F - tail : tail;
        return {x * phi, phi + x * bell * 0.3989422804F};
    }
};

/// GELU's tanh form: x / 2 (1 + tanh u) = x sigmoid(2 u), u = sqrt(2/pi) (x + 0.044715 x^3)
/// (Hendrycks, Gimpel 2016).
struct GeluTanh
{
    static HEADSCOPE_INLINE ValueAndSlope at(FloatVector x)
    {
        const FloatVector bounded = minimum(maximum(x, broadcast(-20.0F)), broadcast(20.0F));
        const FloatVector square = bounded * bounded;
        const FloatVector twice = bounded * (square * 0.0713548163F + 1.5957691216F);
        const FloatVector decay = exponential(-twice);
        const FloatVector s = 1.0F / (decay + 1.0F);
        const FloatVector inner = square * 0.2140644488F + 1.5957691216F;
        return {x * s, s + bounded * s * (1.0F - s) * inner};
    }
};

/// Logistic function 1 / (1 + e^-x) and its complement 1 / (1 + e^x), both to a relative error of a
/// few 1e-7: e^-|x| never overflows.
struct Logistic
{
    FloatVector decay; ///< Decay e^-|x|.
    FloatVector value;
    FloatVector rest; ///< 1 - value

    static HEADSCOPE_INLINE Logistic at(FloatVector x)
    {
        const FloatVector decay = exponential(x < 0.0F ? x : -x);
        const FloatVector large = 1.0F / (decay + 1.0F);
        const FloatVector small = decay * large;
        return {decay, x < 0.0F ? small : large, x < 0.0F ? large : small};
    }
};

/// SiLU: x sigmoid(x), slope s + x s (1 - s).
struct Silu
{
    static HEADSCOPE_INLINE ValueAndSlope at(FloatVector x)
    {
        const Logistic s = Logistic::at(x);
        const FloatVector value = x * s.value;
        return {value, s.value + value * s.rest};
    }
};

/// Quick GELU: x sigmoid(1.702 x) (Hendrycks, Gimpel 2016), slope s + 1.702 x s (1 - s).
struct QuickGelu
{
    static HEADSCOPE_INLINE ValueAndSlope at(FloatVector x)
    {
        const FloatVector scaled = x * 1.702F;
        const Logistic s = Logistic::at(scaled);
        return {x * s.value, s.value + scaled * s.value * s.rest};
    }
};

struct Sigmoid
{
    static HEADSCOPE_INLINE ValueAndSlope at(FloatVector x)
    {
        const Logistic s = Logistic::at(x);
        return {s.value, s.value * s.rest};
    }
};

/// Tanh: near 0 an odd polynomial (Cephes, Moshier 1992), elsewhere (1 - e^-2|x|) / (1 + e^-2|x|)
/// with the sign of x; slope 1 - tanh^2 = 4 s (1 - s), s = sigmoid(2 x).
struct Tanh
{
    static HEADSCOPE_INLINE ValueAndSlope at(FloatVector x)
    {
        const Logistic s = Logistic::at(x + x);
        const FloatVector z = x * x;
        FloatVector p = z * -5.70498872745e-3F + 2.06390887954e-2F;
        p = p * z - 5.37397155531e-2F;
        p = p * z + 1.33314422036e-1F;
        p = p * z - 3.33332819422e-1F;
        const FloatVector inner = p * z * x + x;
        const FloatVector outer = s.value - s.rest;
        return {z < 0.390625F ? inner : outer, s.value * s.rest * 4.0F};
    }
};

/// Softplus: log(1 + e^x) = max(x, 0) + log(1 + u), u = e^-|x|; slope sigmoid(x). log(1 + u) = 2
/// artanh(w), w = u / (2 + u) <= 1/3, whose series in w^2 is interpolated at Chebyshev nodes
/// (relative error 1.6e-8).
struct Softplus
{
    static HEADSCOPE_INLINE ValueAndSlope at(FloatVector x)
    {
        const Logistic s = Logistic::at(x);
        const FloatVector w = s.decay / (s.decay + 2.0F);
        const FloatVector z = w * w;
        FloatVector p = z * 2.685149802e-1F + 2.823661981e-1F;
        p = p * z + 4.000756064e-1F;
        p = p * z + 6.666664034e-1F;
        p = p * z + 2.0F;
        const FloatVector positive = x < 0.0F ? FloatVector{} : x;
        return {positive + p * w, s.value};
    }
};

} // namespace
} // namespace headscope
