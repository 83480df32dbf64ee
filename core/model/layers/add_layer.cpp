#include "core/model/layers/add_layer.h"

#include "core/model/pass/model_pass.h"
#include "core/ops/kernels.h"

#include <algorithm>

namespace headscope {

void AddLayer::forward(ModelPass& pass) const
{
    const MutableTensorView in = pass.value(m_values.in);
    const MutableTensorView added = pass.scratch(m_values.scratch);
    const MutableTensorView out = pass.value(m_values.out);
    const std::int64_t count = in.shape.elementCount();
    std::transform(in.data, in.data + count, added.data,
                   [this](float value) { return m_scale * value; });
    if (pass.inspects())
        pass.note(m_site, added);
    if (m_values.residual)
        std::copy_n(pass.value(m_values.residual).data, count, out.data);
    else
        std::fill_n(out.data, count, 0.0F);
    kernels().add(added.data, out.data, count);
}

void AddLayer::backward(ModelPass& pass) const
{
    const MutableTensorView dOut = pass.gradient(m_values.out);
    const MutableTensorView dAdded = pass.scratch(m_values.scratch);
    const std::int64_t count = dOut.shape.elementCount();
    std::copy_n(dOut.data, count, dAdded.data);
    if (pass.inspects())
        pass.noteGradient(m_site, dAdded);
    const MutableTensorView dIn = pass.gradient(m_values.in);
    std::transform(dAdded.data, dAdded.data + count, dIn.data,
                   [this](float value) { return m_scale * value; });
}

} // namespace headscope
