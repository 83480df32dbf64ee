#include "core/ops/softmax.h"

#include "core/ops/kernels.h"
#include "core/ops/rows.h"

namespace headscope {

void softmax(TensorView x, MutableTensorView y)
{
    // x, y: [rows, n]
    const RowCount size = rowsOf(x, "softmax", "x");
    requireRows(y, size, "softmax", "y");
    kernels().softmax(x.data, y.data, size.rows, size.columns);
}

void softmaxBackward(TensorView y, TensorView dy, MutableTensorView dx)
{
    // forward: y = e^x / sum(e^x); dx = y * (dy - sum(y dy))
    const RowCount size = rowsOf(y, "softmaxBackward", "y");
    requireRows(dy, size, "softmaxBackward", "dy");
    requireRows(dx, size, "softmaxBackward", "dx");
    kernels().softmaxBackward(y.data, dy.data, dx.data, size.rows, size.columns);
}

} // namespace headscope
