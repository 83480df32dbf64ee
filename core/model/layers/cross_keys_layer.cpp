#include "core/model/layers/cross_keys_layer.h"

#include "core/model/run/run.h"

#include <algorithm>

namespace headscope {

void CrossKeysLayer::forward(Run& run) const
{
    if (run.cache == nullptr || !run.cache->crossReady())
        run.linear(m_linear, run.value(m_in), run.value(m_out));
    noteParts(run);
}

void OutputLayer::backward(Run& run) const
{
    if (!m_last)
        return;
    const MutableTensorView gradient = run.gradient(m_last);
    std::fill_n(gradient.data, gradient.shape.elementCount(), 0.0F);
}

} // namespace headscope
