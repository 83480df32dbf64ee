#include "core/model/layers/feed_forward_layer.h"

#include "core/model/pass/model_pass.h"
#include "core/ops/gated_activation.h"
#include "core/ops/kernels.h"
#include "core/ops/linear.h"

#include <algorithm>
#include <functional>

namespace headscope {

namespace {

/// Bias of a layer; in inference it is part of the packed product.
TensorView biasOf(const ModelPass& pass, const FeedForwardRef& part)
{
    return pass.packed != nullptr ? TensorView() : pass.parameter(part.expand.bias);
}

/// One half of [n, 2 f].
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
    case Activation::GeGluExact:
        return ActivationKind::GeluExact;
    case Activation::Silu:
    case Activation::SwiGlu:
    case Activation::ClampedSwiGlu:
        return ActivationKind::Silu;
    default:
        return ActivationKind::GeluTanh;
    }
}

void activate(ModelPass& pass, const FeedForwardRef& part, MutableTensorView hidden,
              MutableTensorView active)
{
    if (part.clamped)
        clampedGate(hidden, biasOf(pass, part), active, hidden);
    else if (part.gated)
        gatedActivation(part.kind, hidden, biasOf(pass, part), active, hidden);
    else
        activation(part.kind, hidden, biasOf(pass, part), active, hidden);
}

void activateBackward(ModelPass& pass, const FeedForwardRef& part, TensorView hidden,
                      MutableTensorView dActive, MutableTensorView dHidden,
                      MutableTensorView active)
{
    const MutableTensorView dBias = pass.parameterGradient(part.expand.bias);
    if (part.clamped) {
        clampedGateBackward(hidden, dActive, dHidden, active, dBias);
        return;
    }
    if (part.gated) {
        gatedActivationBackward(part.kind, hidden, dActive, dHidden, active, dBias);
        return;
    }
    activationBackward(part.kind, hidden, dActive, active, dBias);
    if (dHidden.data != dActive.data)
        std::copy_n(dActive.data, dActive.shape.elementCount(), dHidden.data);
}

void FeedForwardLayer::noteHidden(ModelPass& pass, MutableTensorView hidden, bool gradient) const
{
    const auto noteOne = [&](Site site, MutableTensorView view) {
        if (gradient)
            pass.noteGradient(m_place.key(site), view);
        else
            pass.note(m_place.key(site), view);
    };
    if (!m_part.gated) {
        noteOne(Site::MlpPre, hidden);
        return;
    }
    noteOne(Site::MlpPre, half(hidden, m_part.width, 0));
    noteOne(Site::MlpPreLinear, half(hidden, m_part.width, 1));
}

std::optional<TraceKey> FeedForwardLayer::outputSite() const
{
    return m_notesOutput ? std::optional(m_place.key(Site::MlpOut)) : std::nullopt;
}

void FeedForwardLayer::expand(ModelPass& pass, MutableTensorView hidden,
                              MutableTensorView active) const
{
    const MutableTensorView in = pass.value(m_values.in);
    if (pass.packed != nullptr && !m_part.gated && !pass.changes) {
        const std::int64_t rows = in.shape[0];
        const Kernels::Activate function = kernels().activate[static_cast<int>(m_part.kind)];
        const auto activateColumns = [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = 0; row < rows; ++row)
                function(&hidden(row, begin), nullptr, nullptr, &active(row, begin), 1,
                         end - begin);
        };
        pass.linear(m_part.expand, in, hidden, std::cref(activateColumns));
        if (pass.inspects())
            noteHidden(pass, hidden, false);
        return;
    }
    if (pass.packed != nullptr || pass.inspects()) {
        pass.linear(m_part.expand, in, hidden);
        noteHidden(pass, hidden, false);
        FeedForwardRef withoutBias = m_part;
        withoutBias.expand.bias = {};
        activate(pass, withoutBias, hidden, active);
        return;
    }
    linear(in, pass.parameter(m_part.expand.weight), {}, hidden);
    activate(pass, m_part, hidden, active);
}

void FeedForwardLayer::forward(ModelPass& pass) const
{
    const MutableTensorView hidden = pass.value(m_values.hidden);
    const MutableTensorView active = pass.scratch(m_values.active);
    expand(pass, hidden, active);
    if (pass.inspects())
        pass.note(m_place.key(Site::MlpPost), active);
    if (pass.packed != nullptr || pass.inspects() || pass.dropout.active) {
        const MutableTensorView sublayer = pass.scratch(m_values.scratch);
        pass.linear(m_part.contract, active, sublayer);
        addSublayer(pass, sublayer, m_values.residual, m_values.out, outputSite(), m_dropoutSite);
        return;
    }
    addProjection(pass, m_part.contract, active, m_values.residual, m_values.out);
}

void FeedForwardLayer::backward(ModelPass& pass) const
{
    const MutableTensorView hidden = pass.value(m_values.hidden);
    const MutableTensorView active = pass.scratch(m_values.active);
    const MutableTensorView dHidden = pass.scratch(m_values.dHidden);
    const MutableTensorView dActive = m_part.gated ? pass.scratch(m_values.dActive) : dHidden;
    const TensorView dy =
        sublayerGradient(pass, m_values.out, m_values.scratch, outputSite(), m_dropoutSite);
    linearBackward(active, pass.parameter(m_part.contract.weight), dy, {dActive, {}, {}});
    if (pass.inspects())
        pass.noteGradient(m_place.key(Site::MlpPost), dActive);
    activateBackward(pass, m_part, hidden, dActive, dHidden, active);
    if (pass.inspects())
        noteHidden(pass, dHidden, true);
    pass.linearBackward(m_part.contract, active, dy, {}, false);
    LinearRef withoutBias = m_part.expand;
    withoutBias.bias = {};
    // With a norm after the sum, `in` is the residual itself, whose gradient already holds dy.
    const bool add = pass.accumulates(m_values.in) || m_values.in == m_values.residual;
    pass.linearBackward(withoutBias, pass.value(m_values.in), dHidden, pass.gradient(m_values.in),
                        add);
}

} // namespace headscope
