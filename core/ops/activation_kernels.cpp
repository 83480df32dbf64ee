#include "core/ops/kernels.h"
#include "core/ops/simd.h"

namespace headscope::HEADSCOPE_ISA {

namespace {

struct ValueAndSlope
{
    FloatVector value;
    FloatVector slope;
};

/// max(x, 0), slope 0 at 0
struct Relu
{
    static HEADSCOPE_INLINE ValueAndSlope at(FloatVector x)
    {
        return {x > 0.0F ? x : FloatVector{}, x > 0.0F ? broadcast(1.0F) : FloatVector{}};
    }
};

/// x Phi(x), slope Phi(x) + x phi(x). Phi(-z) = e^(-z^2/2) P(1 / (1 + 0.3 z)) for z >= 0, the form
/// of Abramowitz and Stegun 7.1.26 with eight coefficients fitted to a relative error of 1.3e-7.
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

/// x / 2 (1 + tanh u) = x sigmoid(2 u), u = sqrt(2/pi) (x + 0.044715 x^3) (Hendrycks, Gimpel 2016)
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

template<class Function>
void activate(const float* x, const float* bias, float* total, float* y, std::int64_t rows,
              std::int64_t columns)
{
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t start = row * columns;
        forEachVector(columns, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
            FloatVector value = load(x + start + j, n);
            if (bias)
                value += load(bias + j, n);
            if (total)
                store(total + start + j, value, n);
            store(y + start + j, Function::at(value).value, n);
        });
    }
}

template<class Function>
void activateBackward(const float* total, float* y, float* gradient, float* biasGradient,
                      std::int64_t rows, std::int64_t columns)
{
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t start = row * columns;
        forEachVector(columns, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
            const ValueAndSlope result = Function::at(load(total + start + j, n));
            const FloatVector slope = load(gradient + start + j, n) * result.slope;
            store(gradient + start + j, slope, n);
            if (y)
                store(y + start + j, result.value, n);
            if (biasGradient)
                store(biasGradient + j, load(biasGradient + j, n) + slope, n);
        });
    }
}

void exponentials(const float* x, float* y, std::int64_t count)
{
    forEachVector(count, [&](std::int64_t j, std::int64_t n)
                             HEADSCOPE_LAMBDA { store(y + j, exponential(load(x + j, n)), n); });
}

} // namespace

void fillActivationKernels(Kernels& table);

void fillActivationKernels(Kernels& table)
{
    table.activate[0] = activate<Relu>;
    table.activate[1] = activate<GeluExact>;
    table.activate[2] = activate<GeluTanh>;
    table.activateBackward[0] = activateBackward<Relu>;
    table.activateBackward[1] = activateBackward<GeluExact>;
    table.activateBackward[2] = activateBackward<GeluTanh>;
    table.exponential = exponentials;
}

} // namespace headscope::HEADSCOPE_ISA
