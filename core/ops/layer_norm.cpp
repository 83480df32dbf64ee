#include "core/ops/layer_norm.h"

#include "core/ops/kernels.h"
#include "core/ops/rows.h"

namespace headscope {

void layerNorm(TensorView x, TensorView gamma, TensorView beta, float epsilon, MutableTensorView y,
               const LayerNormStatistics& statistics)
{
    // x, y: [rows, d], gamma, beta: [d], mean, inverseDeviation: [rows]
    const char* const name = "layerNorm";
    const RowCount size = rowsOf(x, name, "x");
    requireRows(y, size, name, "y");
    requireShape(gamma, {size.columns}, name, "gamma");
    requireShape(beta, {size.columns}, name, "beta");
    for (const MutableTensorView& view : {statistics.mean, statistics.inverseDeviation}) {
        if (view)
            requireShape(view, {size.rows}, name, "statistics");
    }
    kernels().layerNorm(x.data, gamma.data, beta.data, epsilon, y.data, statistics.mean.data,
                        statistics.inverseDeviation.data, size.rows, size.columns);
}

void layerNormBackward(TensorView x, TensorView gamma, const LayerNormStatistics& statistics,
                       TensorView dy, const LayerNormGradients& gradients)
{
    // forward: n = (x - mean) * inverseDeviation, y = n * gamma + beta
    // dx = inverseDeviation * (g - average(g) - n * average(g n)), g = dy * gamma
    const char* const name = "layerNormBackward";
    const RowCount size = rowsOf(x, name, "x");
    requireRows(dy, size, name, "dy");
    requireRows(gradients.x, size, name, "dx");
    requireShape(gamma, {size.columns}, name, "gamma");
    requireShape(gradients.gamma, {size.columns}, name, "dgamma");
    requireShape(gradients.beta, {size.columns}, name, "dbeta");
    requireShape(statistics.mean, {size.rows}, name, "mean");
    requireShape(statistics.inverseDeviation, {size.rows}, name, "inverseDeviation");
    kernels().layerNormBackward(x.data, gamma.data, statistics.mean.data,
                                statistics.inverseDeviation.data, dy.data, gradients.x.data,
                                gradients.gamma.data, gradients.beta.data, size.rows, size.columns);
}

} // namespace headscope
