#include "core/ops/gated_activation.h"

#include "core/base/error.h"
#include "core/ops/kernels.h"
#include "core/ops/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

/// Rows and the width f of one half; `halves` is [..., 2 f].
RowCount halfOf(TensorView halves, const char* name, const char* operand)
{
    const RowCount size = rowsOf(halves, name, operand);
    if (size.columns % 2 != 0)
        throw ShapeError(fmt::format("{}: {} {} has an odd last axis, but a gate and an up "
                                     "projection of equal width were expected",
                                     name, operand, halves.shape.toString()));
    return {size.rows, size.columns / 2};
}

} // namespace

void gatedActivation(ActivationKind kind, TensorView gateUp, TensorView bias, MutableTensorView y,
                     MutableTensorView sum)
{
    // gateUp, sum: [rows, 2 width], bias: [2 width], y: [rows, width]
    const char* const name = "gatedActivation";
    const RowCount half = halfOf(gateUp, name, "gateUp");
    requireRows(y, half, name, "y");
    if (bias)
        requireShape(bias, {2 * half.columns}, name, "bias");
    if (sum)
        requireRows(sum, {half.rows, 2 * half.columns}, name, "sum");
    kernels().gate[static_cast<int>(kind)](gateUp.data, bias.data, sum.data, y.data, half.rows,
                                           half.columns);
}

void gatedActivationBackward(ActivationKind kind, TensorView sum, TensorView dy,
                             MutableTensorView dGateUp, MutableTensorView y,
                             MutableTensorView biasGradient)
{
    // forward: y = f(gate) up; dgate = dy up f'(gate), dup = dy f(gate), dbias = their column sums
    const char* const name = "gatedActivationBackward";
    const RowCount half = halfOf(sum, name, "sum");
    requireRows(dy, half, name, "dy");
    requireRows(dGateUp, {half.rows, 2 * half.columns}, name, "dGateUp");
    if (y)
        requireRows(y, half, name, "y");
    if (biasGradient)
        requireShape(biasGradient, {2 * half.columns}, name, "biasGradient");
    kernels().gateBackward[static_cast<int>(kind)](sum.data, dy.data, dGateUp.data, y.data,
                                                   biasGradient.data, half.rows, half.columns);
}

namespace {

constexpr float kSlope = 1.702F;
constexpr float kLimit = 7.0F;

float sigmoid(float x)
{
    return 1.0F / (1.0F + std::exp(-x));
}

/// The function and its derivatives at one pair of numbers.
struct Gate
{
    Gate(float gate, float up)
        : g(std::min(gate, kLimit))
        , u(std::clamp(up, -kLimit, kLimit))
        , open(sigmoid(kSlope * g))
        , gateMoves(gate <= kLimit)
        , upMoves(up >= -kLimit && up <= kLimit)
    {
    }

    float value() const { return (u + 1.0F) * g * open; }

    float byGate() const
    {
        return gateMoves ? (u + 1.0F) * open * (1.0F + kSlope * g * (1.0F - open)) : 0.0F;
    }

    float byUp() const { return upMoves ? g * open : 0.0F; }

    float g;
    float u;
    float open;
    bool gateMoves;
    bool upMoves;
};

} // namespace

void clampedGate(TensorView gateUp, TensorView bias, MutableTensorView y, MutableTensorView sum)
{
    const RowCount size = rowsOf(y, "clampedGate", "y");
    requireRows(gateUp, {size.rows, 2 * size.columns}, "clampedGate", "gateUp");
    requireRows(sum, {size.rows, 2 * size.columns}, "clampedGate", "sum");
    for (std::int64_t row = 0; row < size.rows; ++row) {
        const float* const in = gateUp.data + row * 2 * size.columns;
        float* const kept = sum.data + row * 2 * size.columns;
        for (std::int64_t i = 0; i < 2 * size.columns; ++i)
            kept[i] = in[i] + (bias ? bias.data[i] : 0.0F);
        for (std::int64_t i = 0; i < size.columns; ++i)
            y.data[row * size.columns + i] = Gate(kept[i], kept[size.columns + i]).value();
    }
}

void clampedGateBackward(TensorView sum, TensorView dy, MutableTensorView dGateUp,
                         MutableTensorView y, MutableTensorView biasGradient)
{
    const RowCount size = rowsOf(dy, "clampedGateBackward", "dy");
    requireRows(sum, {size.rows, 2 * size.columns}, "clampedGateBackward", "sum");
    requireRows(dGateUp, {size.rows, 2 * size.columns}, "clampedGateBackward", "dGateUp");
    for (std::int64_t row = 0; row < size.rows; ++row) {
        const float* const kept = sum.data + row * 2 * size.columns;
        float* const d = dGateUp.data + row * 2 * size.columns;
        for (std::int64_t i = 0; i < size.columns; ++i) {
            const Gate gate(kept[i], kept[size.columns + i]);
            const float upstream = dy.data[row * size.columns + i];
            d[i] = upstream * gate.byGate();
            d[size.columns + i] = upstream * gate.byUp();
            if (y)
                y.data[row * size.columns + i] = gate.value();
        }
        for (std::int64_t i = 0; biasGradient && i < 2 * size.columns; ++i)
            biasGradient.data[i] += d[i];
    }
}

} // namespace headscope
