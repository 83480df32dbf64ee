#include "core/ops/linear.h"

#include "core/ops/kernels.h"
#include "core/ops/matmul.h"
#include "core/ops/rows.h"

#include <algorithm>

namespace headscope {

namespace {

struct LinearSizes
{
    std::int64_t rows = 0;
    std::int64_t in = 0;
    std::int64_t out = 0;
};

LinearSizes sizesOf(TensorView x, TensorView weight, const char* name)
{
    const RowCount input = rowsOf(x, name, "x");
    const RowCount matrix = rowsOf(weight, name, "weight");
    requireShape(weight, {matrix.rows, input.columns}, name, "weight");
    return {input.rows, input.columns, matrix.rows};
}

LinearSizes checkForward(TensorView x, TensorView weight, TensorView bias, TensorView y,
                         const char* name)
{
    const LinearSizes sizes = sizesOf(x, weight, name);
    requireRows(y, {sizes.rows, sizes.out}, name, "y");
    if (bias)
        requireShape(bias, {sizes.out}, name, "bias");
    return sizes;
}

} // namespace

void linear(TensorView x, TensorView weight, TensorView bias, MutableTensorView y)
{
    // x: [rows, in], weight: [out, in], y: [rows, out]
    const LinearSizes s = checkForward(x, weight, bias, y, "linear");
    matmul(Transpose::No, Transpose::Yes, s.rows, s.out, s.in, 1.0F, x.data, s.in, weight.data,
           s.in, 0.0F, y.data, s.out);
    if (bias)
        kernels().addBias(y.data, bias.data, y.data, s.rows, s.out);
}

void linearAdd(TensorView x, TensorView weight, TensorView bias, MutableTensorView y)
{
    // x: [rows, in], weight: [out, in], y: [rows, out]
    const LinearSizes s = checkForward(x, weight, bias, y, "linearAdd");
    if (bias)
        kernels().addBias(y.data, bias.data, y.data, s.rows, s.out);
    matmul(Transpose::No, Transpose::Yes, s.rows, s.out, s.in, 1.0F, x.data, s.in, weight.data,
           s.in, 1.0F, y.data, s.out);
}

void linearBackward(TensorView x, TensorView weight, TensorView dy,
                    const LinearGradients& gradients)
{
    // forward: y[rows, out] = x[rows, in] weight[out, in]^T + bias[out]
    const char* const name = "linearBackward";
    const LinearSizes s = sizesOf(x, weight, name);
    requireRows(dy, {s.rows, s.out}, name, "dy");
    if (gradients.x) {
        requireRows(gradients.x, {s.rows, s.in}, name, "dx");
        matmul(Transpose::No, Transpose::No, s.rows, s.in, s.out, 1.0F, dy.data, s.out, weight.data,
               s.in, gradients.addToX ? 1.0F : 0.0F, gradients.x.data, s.in);
    }
    if (gradients.weight) {
        requireShape(gradients.weight, weight.shape, name, "dW");
        matmul(Transpose::Yes, Transpose::No, s.out, s.in, s.rows, 1.0F, dy.data, s.out, x.data,
               s.in, gradients.addToParameters ? 1.0F : 0.0F, gradients.weight.data, s.in);
    }
    if (gradients.bias) {
        requireShape(gradients.bias, {s.out}, name, "db");
        if (!gradients.addToParameters)
            std::fill_n(gradients.bias.data, s.out, 0.0F);
        kernels().columnSums(dy.data, gradients.bias.data, s.rows, s.out);
    }
}

} // namespace headscope
