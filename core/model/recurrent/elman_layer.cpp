#include "core/model/recurrent/elman_layer.h"

#include "core/ops/activations.h"

namespace headscope {

void ElmanLayer::activate(std::int64_t step)
{
    activation(ActivationKind::Tanh, gates(step), {}, hidden(step + 1));
}

void ElmanLayer::differentiate(std::int64_t step, TensorView dHidden)
{
    // tanh' = 1 - tanh^2
    const TensorView output = hidden(step + 1);
    float* const result = gates(step).data;
    for (std::int64_t i = 0; i < output.shape.elementCount(); ++i)
        result[i] = dHidden.data[i] * (1.0F - output.data[i] * output.data[i]);
}

} // namespace headscope
