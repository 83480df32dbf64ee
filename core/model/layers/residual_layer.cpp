#include "core/model/layers/residual_layer.h"

#include "core/model/run/run.h"
#include "core/ops/kernels.h"
#include "core/ops/linear.h"

#include <algorithm>

namespace headscope {

void addSublayer(Run& run, MutableTensorView sublayer, ValueRef residual, ValueRef out,
                 TraceKey site, std::uint64_t dropoutSite)
{
    if (run.inspects())
        run.note(site, sublayer);
    const MutableTensorView x = run.value(residual);
    const MutableTensorView y = run.value(out);
    const std::int64_t count = x.shape.elementCount();
    std::copy_n(x.data, count, y.data);
    const Dropout dropout = run.dropoutAt(run.config.dropout, dropoutSite);
    if (dropout.active())
        dropout.add(sublayer, y, run.firstRow());
    else
        kernels().add(sublayer.data, y.data, count);
}

TensorView sublayerGradient(Run& run, ValueRef out, ValueRef scratch, TraceKey site,
                            std::uint64_t dropoutSite, bool copied)
{
    const MutableTensorView dy = run.gradient(out);
    const Dropout dropout = run.dropoutAt(run.config.dropout, dropoutSite);
    if (!dropout.active() && !run.inspects() && !copied)
        return dy;
    const MutableTensorView copy = run.scratch(scratch);
    if (dropout.active())
        dropout.apply(dy, copy, run.firstRow());
    else
        std::copy_n(dy.data, dy.shape.elementCount(), copy.data);
    run.noteGradient(site, copy);
    return copy;
}

void addProjection(Run& run, const LinearRef& linear, TensorView in, ValueRef residual,
                   ValueRef out)
{
    const MutableTensorView x = run.value(residual);
    const MutableTensorView y = run.value(out);
    if (linear.bias)
        kernels().addBias(x.data, run.parameter(linear.bias).data, y.data, x.shape[0], x.shape[1]);
    else
        std::copy_n(x.data, x.shape.elementCount(), y.data);
    linearAdd(in, run.parameter(linear.weight), {}, y);
}

void ResidualLayer::forward(Run& run) const
{
    const MutableTensorView in = run.value(m_values.in);
    if (run.packed != nullptr || run.inspects() || run.dropout.active) {
        const MutableTensorView sublayer = run.scratch(m_values.scratch);
        run.linear(m_linear, in, sublayer);
        addSublayer(run, sublayer, m_values.residual, m_values.out, m_site, m_dropoutSite);
        return;
    }
    addProjection(run, m_linear, in, m_values.residual, m_values.out);
}

void ResidualLayer::backward(Run& run) const
{
    const TensorView dy =
        sublayerGradient(run, m_values.out, m_values.scratch, m_site, m_dropoutSite);
    run.linearBackward(m_linear, run.value(m_values.in), dy, run.gradient(m_values.in),
                       run.accumulates(m_values.in));
}

} // namespace headscope
