#include "core/ops/activations.h"

#include "core/ops/kernels.h"
#include "core/ops/rows.h"

#include <algorithm>
#include <cmath>

namespace headscope {

static_assert(static_cast<int>(ActivationKind::Softplus) + 1 == Kernels::kActivations);

void activation(ActivationKind kind, TensorView x, TensorView bias, MutableTensorView y,
                MutableTensorView sum)
{
    // x, y, sum: [rows, columns], bias: [columns]
    const char* const name = "activation";
    const RowCount size = rowsOf(x, name, "x");
    requireRows(y, size, name, "y");
    if (bias)
        requireShape(bias, {size.columns}, name, "bias");
    if (sum)
        requireRows(sum, size, name, "sum");
    kernels().activate[static_cast<int>(kind)](x.data, bias.data, sum.data, y.data, size.rows,
                                               size.columns);
}

void activationBackward(ActivationKind kind, TensorView sum, MutableTensorView gradient,
                        MutableTensorView y, MutableTensorView biasGradient)
{
    // forward: y = f(sum), sum = x + bias; dx = dy f'(sum), dbias = column sums of dx
    const char* const name = "activationBackward";
    const RowCount size = rowsOf(sum, name, "sum");
    requireRows(gradient, size, name, "gradient");
    if (y)
        requireRows(y, size, name, "y");
    if (biasGradient)
        requireShape(biasGradient, {size.columns}, name, "biasGradient");
    kernels().activateBackward[static_cast<int>(kind)](sum.data, y.data, gradient.data,
                                                       biasGradient.data, size.rows, size.columns);
}

void softCap(float cap, MutableTensorView x)
{
    if (cap == 0.0F)
        return;
    std::transform(x.data, x.data + x.shape.elementCount(), x.data,
                   [cap](float value) { return cap * std::tanh(value / cap); });
}

void softCapBackward(float cap, TensorView capped, MutableTensorView gradient)
{
    if (cap == 0.0F)
        return;
    std::transform(gradient.data, gradient.data + gradient.shape.elementCount(), capped.data,
                   gradient.data, [cap](float upstream, float value) {
                       const float tanh = value / cap;
                       return upstream * (1.0F - tanh * tanh);
                   });
}

} // namespace headscope
