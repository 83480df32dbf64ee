#include "core/ops/activation_functions.h"
#include "core/ops/kernels.h"

namespace headscope::HEADSCOPE_ISA {

namespace {

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

/// Reads gate and up from the two halves of a row of `gateUp`.
template<class Function>
void gated(const float* gateUp, const float* bias, float* total, float* y, std::int64_t rows,
           std::int64_t width)
{
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t start = 2 * row * width;
        float* out = y + row * width;
        forEachVector(width, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
            FloatVector gate = load(gateUp + start + j, n);
            FloatVector up = load(gateUp + start + width + j, n);
            if (bias) {
                gate += load(bias + j, n);
                up += load(bias + width + j, n);
            }
            if (total) {
                store(total + start + j, gate, n);
                store(total + start + width + j, up, n);
            }
            store(out + j, Function::at(gate).value * up, n);
        });
    }
}

template<class Function>
void gatedBackward(const float* total, const float* dy, float* dGateUp, float* y,
                   float* biasGradient, std::int64_t rows, std::int64_t width)
{
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t start = 2 * row * width;
        forEachVector(width, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
            const FloatVector up = load(total + start + width + j, n);
            const FloatVector upstream = load(dy + row * width + j, n);
            const ValueAndSlope gate = Function::at(load(total + start + j, n));
            const FloatVector dGate = upstream * up * gate.slope;
            const FloatVector dUp = upstream * gate.value;
            store(dGateUp + start + j, dGate, n);
            store(dGateUp + start + width + j, dUp, n);
            if (y)
                store(y + row * width + j, gate.value * up, n);
            if (biasGradient) {
                float* dBias = biasGradient + j;
                store(dBias, load(dBias, n) + dGate, n);
                store(dBias + width, load(dBias + width, n) + dUp, n);
            }
        });
    }
}

void exponentials(const float* x, float* y, std::int64_t count)
{
    forEachVector(count, [&](std::int64_t j, std::int64_t n)
                             HEADSCOPE_LAMBDA { store(y + j, exponential(load(x + j, n)), n); });
}

template<class Function>
void fillKind(Kernels& table, int kind)
{
    table.activate[kind] = activate<Function>;
    table.activateBackward[kind] = activateBackward<Function>;
    table.gate[kind] = gated<Function>;
    table.gateBackward[kind] = gatedBackward<Function>;
}

} // namespace

void fillActivationKernels(Kernels& table);

void fillActivationKernels(Kernels& table)
{
    fillKind<Relu>(table, 0);
    fillKind<GeluExact>(table, 1);
    fillKind<GeluTanh>(table, 2);
    fillKind<Silu>(table, 3);
    fillKind<QuickGelu>(table, 4);
    fillKind<Sigmoid>(table, 5);
    fillKind<Tanh>(table, 6);
    fillKind<Softplus>(table, 7);
    table.exponential = exponentials;
}

} // namespace headscope::HEADSCOPE_ISA
