#include "core/ops/layer_norm.h"

#include "core/ops/norm.h"

namespace headscope {

void layerNorm(TensorView x, TensorView gamma, TensorView beta, float epsilon, MutableTensorView y,
               const LayerNormStatistics& statistics)
{
    norm({NormKind::Layer, epsilon, gamma, beta}, x, y,
         {statistics.mean, statistics.inverseDeviation});
}

void layerNormBackward(TensorView x, TensorView gamma, const LayerNormStatistics& statistics,
                       TensorView dy, const LayerNormGradients& gradients)
{
    normBackward({NormKind::Layer, 1e-5F, gamma, {}}, x,
                 {statistics.mean, statistics.inverseDeviation}, dy,
                 {gradients.x, gradients.gamma, gradients.beta});
}

} // namespace headscope
