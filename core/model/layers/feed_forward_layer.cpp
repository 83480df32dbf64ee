#include "core/model/layers/feed_forward_layer.h"

#include "core/base/error.h"
#include "core/model/run/run.h"
#include "core/ops/gated_activation.h"
#include "core/ops/kernels.h"
#include "core/ops/linear.h"

#include <algorithm>
#include <functional>

namespace headscope {

namespace {

/// In inference the bias is part of the packed product.
TensorView biasOf(const Run& run, const FeedForwardRef& part)
{
    return run.packed != nullptr ? TensorView() : run.parameter(part.expand.bias);
}

/// [n, 2 f] seen as one of its halves.
MutableTensorView half(MutableTensorView gateUp, std::int64_t width, std::int64_t part)
{
    MutableTensorView view(gateUp.data + part * width, {gateUp.shape[0], width});
    view.strides = {gateUp.stride(0), 1};
    return view;
}

} // namespace

ActivationKind activationKind(Activation activation)
{
    switch (activation) {
    case Activation::Relu:
        return ActivationKind::Relu;
    case Activation::GeluExact:
        return ActivationKind::GeluExact;
    case Activation::SwiGlu:
        return ActivationKind::Silu;
    default:
        return ActivationKind::GeluTanh;
    }
}

void activate(Run& run, const FeedForwardRef& part, MutableTensorView hidden,
              MutableTensorView active)
{
    if (part.gated)
        gatedActivation(part.kind, hidden, biasOf(run, part), active, hidden);
    else
        activation(part.kind, hidden, biasOf(run, part), active, hidden);
}

void activateBackward(Run& run, const FeedForwardRef& part, TensorView hidden,
                      MutableTensorView dActive, MutableTensorView dHidden,
                      MutableTensorView active)
{
    const MutableTensorView dBias = run.parameterGradient(part.expand.bias);
    if (part.gated) {
        gatedActivationBackward(part.kind, hidden, dActive, dHidden, active, dBias);
        return;
    }
    activationBackward(part.kind, hidden, dActive, active, dBias);
    if (dHidden.data != dActive.data)
        std::copy_n(dActive.data, dActive.shape.elementCount(), dHidden.data);
}

void FeedForwardLayer::noteHidden(Run& run, MutableTensorView hidden, bool gradient) const
{
    const auto noteOne = [&](Site site, MutableTensorView view) {
        if (gradient)
            run.noteGradient(m_place.key(site), view);
        else
            run.note(m_place.key(site), view);
    };
    if (!m_part.gated) {
        noteOne(Site::MlpPre, hidden);
        return;
    }
    noteOne(Site::MlpPre, half(hidden, m_part.width, 0));
    noteOne(Site::MlpPreLinear, half(hidden, m_part.width, 1));
}

void FeedForwardLayer::expand(Run& run, MutableTensorView hidden, MutableTensorView active) const
{
    const MutableTensorView in = run.value(m_values.in);
    if (run.packed != nullptr && !m_part.gated && !run.changes) {
        const std::int64_t rows = in.shape[0];
        const Kernels::Activate function = kernels().activate[static_cast<int>(m_part.kind)];
        const auto activateColumns = [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = 0; row < rows; ++row)
                function(&hidden(row, begin), nullptr, nullptr, &active(row, begin), 1,
                         end - begin);
        };
        run.linear(m_part.expand, in, hidden, std::cref(activateColumns));
        if (run.inspects())
            noteHidden(run, hidden, false);
        return;
    }
    if (run.packed != nullptr || run.inspects()) {
        run.linear(m_part.expand, in, hidden);
        noteHidden(run, hidden, false);
        FeedForwardRef withoutBias = m_part;
        withoutBias.expand.bias = {};
        activate(run, withoutBias, hidden, active);
        return;
    }
    linear(in, run.parameter(m_part.expand.weight), {}, hidden);
    activate(run, m_part, hidden, active);
}

void FeedForwardLayer::forward(Run& run) const
{
    const MutableTensorView hidden = run.value(m_values.hidden);
    const MutableTensorView active = run.scratch(m_values.active);
    expand(run, hidden, active);
    if (run.inspects())
        run.note(m_place.key(Site::MlpPost), active);
    const TraceKey site = m_place.key(Site::MlpOut);
    if (run.packed != nullptr || run.inspects() || run.dropout.active) {
        const MutableTensorView sublayer = run.scratch(m_values.scratch);
        run.linear(m_part.contract, active, sublayer);
        addSublayer(run, sublayer, m_values.residual, m_values.out, site, m_dropoutSite);
        return;
    }
    addProjection(run, m_part.contract, active, m_values.residual, m_values.out);
}

void FeedForwardLayer::backward(Run& run) const
{
    const MutableTensorView hidden = run.value(m_values.hidden);
    const MutableTensorView active = run.scratch(m_values.active);
    const MutableTensorView dHidden = run.scratch(m_values.dHidden);
    const MutableTensorView dActive = m_part.gated ? run.scratch(m_values.dActive) : dHidden;
    const TensorView dy = sublayerGradient(run, m_values.out, m_values.scratch,
                                           m_place.key(Site::MlpOut), m_dropoutSite);
    linearBackward(active, run.parameter(m_part.contract.weight), dy, {dActive, {}, {}});
    if (run.inspects())
        run.noteGradient(m_place.key(Site::MlpPost), dActive);
    activateBackward(run, m_part, hidden, dActive, dHidden, active);
    if (run.inspects())
        noteHidden(run, dHidden, true);
    run.linearBackward(m_part.contract, active, dy, {}, false);
    LinearRef withoutBias = m_part.expand;
    withoutBias.bias = {};
    // With a norm after the sum, `in` is the residual itself, whose gradient holds dy already.
    const bool add = run.accumulates(m_values.in) || m_values.in == m_values.residual;
    run.linearBackward(withoutBias, run.value(m_values.in), dHidden, run.gradient(m_values.in),
                       add);
}

} // namespace headscope
