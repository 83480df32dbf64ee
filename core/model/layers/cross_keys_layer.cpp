#include "core/model/layers/cross_keys_layer.h"

#include "core/model/pass/model_pass.h"

#include <algorithm>

namespace headscope {

void CrossKeysLayer::forward(ModelPass& pass) const
{
    if (pass.cache == nullptr || !pass.cache->crossReady())
        pass.linear(m_linear, pass.value(m_in), pass.value(m_out));
    noteParts(pass);
}

void OutputLayer::backward(ModelPass& pass) const
{
    if (!m_last)
        return;
    const MutableTensorView gradient = pass.gradient(m_last);
    std::fill_n(gradient.data, gradient.shape.elementCount(), 0.0F);
}

} // namespace headscope
