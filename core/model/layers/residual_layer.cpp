#include "core/model/layers/residual_layer.h"

#include "core/model/pass/model_pass.h"
#include "core/ops/kernels.h"
#include "core/ops/linear.h"

#include <algorithm>

namespace headscope {

void addSublayer(ModelPass& pass, MutableTensorView sublayer, ValueRef residual, ValueRef out,
                 std::optional<TraceKey> site, std::uint64_t dropoutSite)
{
    if (site && pass.inspects())
        pass.note(*site, sublayer);
    const MutableTensorView y = pass.value(out);
    const std::int64_t count = y.shape.elementCount();
    if (residual)
        std::copy_n(pass.value(residual).data, count, y.data);
    else
        std::fill_n(y.data, count, 0.0F);
    const Dropout dropout = pass.dropoutAt(pass.config.dropout, dropoutSite);
    if (dropout.active())
        dropout.add(sublayer, y, pass.firstRow());
    else
        kernels().add(sublayer.data, y.data, count);
}

TensorView sublayerGradient(ModelPass& pass, ValueRef out, ValueRef scratch,
                            std::optional<TraceKey> site, std::uint64_t dropoutSite, bool copied)
{
    const MutableTensorView dy = pass.gradient(out);
    const Dropout dropout = pass.dropoutAt(pass.config.dropout, dropoutSite);
    if (!dropout.active() && !pass.inspects() && !copied)
        return dy;
    const MutableTensorView copy = pass.scratch(scratch);
    if (dropout.active())
        dropout.apply(dy, copy, pass.firstRow());
    else
        std::copy_n(dy.data, dy.shape.elementCount(), copy.data);
    if (site)
        pass.noteGradient(*site, copy);
    return copy;
}

void addProjection(ModelPass& pass, const LinearRef& linear, TensorView in, ValueRef residual,
                   ValueRef out)
{
    const MutableTensorView y = pass.value(out);
    if (!residual) {
        headscope::linear(in, pass.parameter(linear.weight), pass.parameter(linear.bias), y);
        return;
    }
    const MutableTensorView x = pass.value(residual);
    if (linear.bias)
        kernels().addBias(x.data, pass.parameter(linear.bias).data, y.data, x.shape[0], x.shape[1]);
    else
        std::copy_n(x.data, x.shape.elementCount(), y.data);
    linearAdd(in, pass.parameter(linear.weight), {}, y);
}

void ResidualLayer::forward(ModelPass& pass) const
{
    const MutableTensorView in = pass.value(m_values.in);
    if (pass.packed != nullptr || pass.inspects() || pass.dropout.active) {
        const MutableTensorView sublayer = pass.scratch(m_values.scratch);
        pass.linear(m_linear, in, sublayer);
        addSublayer(pass, sublayer, m_values.residual, m_values.out, m_site, m_dropoutSite);
        return;
    }
    addProjection(pass, m_linear, in, m_values.residual, m_values.out);
}

void ResidualLayer::backward(ModelPass& pass) const
{
    const TensorView dy =
        sublayerGradient(pass, m_values.out, m_values.scratch, m_site, m_dropoutSite);
    pass.linearBackward(m_linear, pass.value(m_values.in), dy, pass.gradient(m_values.in),
                        pass.accumulates(m_values.in));
}

} // namespace headscope
