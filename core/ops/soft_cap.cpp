#include "core/ops/soft_cap.h"

#include <algorithm>
#include <cmath>

namespace headscope {

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
