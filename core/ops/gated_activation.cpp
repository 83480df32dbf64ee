#include "core/ops/gated_activation.h"

#include "core/base/error.h"
#include "core/ops/kernels.h"
#include "core/ops/rows.h"

#include <fmt/format.h>

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

} // namespace headscope
