#include "core/model/recurrent/recurrent_layer.h"

#include "core/base/error.h"
#include "core/model/recurrent/elman_layer.h"
#include "core/model/recurrent/lstm_layer.h"
#include "core/ops/linear.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace headscope {

namespace {

void require(bool fits, const char* what, TensorView view)
{
    if (!fits)
        throw ShapeError(
            fmt::format("RecurrentLayer: {} {} does not fit", what, view.shape.toString()));
}

/// Positions [first, first + count) as rows.
template<class View>
View flat(View whole, std::int64_t first, std::int64_t count)
{
    return {whole.data + first * whole.stride(0), {count * whole.shape[1], whole.shape[2]}};
}

} // namespace

void RecurrentLayer::prepare(const RecurrentWeights<TensorView>& weights, TensorView x,
                             const RecurrentState& state)
{
    const std::int64_t units = weights.states.shape.back();
    const std::int64_t width = gatesOf(m_kind) * units;
    require(x.shape.rank() == 3, "the input", x);
    require(weights.inputs.shape == Shape{width, x.shape[2]}, "W_x", weights.inputs);
    require(weights.states.shape == Shape{width, units}, "W_h", weights.states);
    require(weights.bias.shape == Shape{width}, "the bias", weights.bias);
    require(state.hidden.shape() == Shape{x.shape[1], units}, "the state", state.hidden.view());
    const Shape gateShape{x.shape[0], x.shape[1], width};
    if (m_gates.shape() == gateShape)
        return;
    m_gates = Tensor(gateShape);
    m_hidden = Tensor({x.shape[0] + 1, x.shape[1], units});
}

TensorView RecurrentLayer::forward(const RecurrentWeights<TensorView>& weights, TensorView x,
                                   RecurrentState& state)
{
    prepare(weights, x, state);
    const std::int64_t steps = x.shape[0];
    std::ranges::copy(std::as_const(state.hidden).values(), m_hidden.data());
    begin(state, steps);
    linear(flat(x, 0, steps), weights.inputs, weights.bias, flat(m_gates.view(), 0, steps));
    for (std::int64_t step = 0; step < steps; ++step) {
        linearAdd(hidden(step), weights.states, {}, gates(step));
        activate(step);
    }
    std::copy_n(hidden(steps).data, state.hidden.size(), state.hidden.data());
    end(state, steps);
    return {m_hidden.data() + m_hidden.view().stride(0), {steps, x.shape[1], m_hidden.shape()[2]}};
}

void RecurrentLayer::backward(const RecurrentWeights<TensorView>& weights, TensorView x,
                              MutableTensorView dHidden,
                              const RecurrentWeights<MutableTensorView>& gradients,
                              MutableTensorView dx, std::int64_t firstStep)
{
    const std::int64_t steps = m_gates.shape()[0];
    require(x.shape[0] == steps && dHidden.shape[0] == steps, "the gradient", dHidden);
    std::fill_n(m_gates.data(), firstStep * m_gates.view().stride(0), 0.0F);
    beginBackward();
    for (std::int64_t step = steps - 1; step >= firstStep; --step) {
        differentiate(step, dHidden[step]);
        if (step == firstStep)
            break;
        LinearGradients toState;
        toState.x = dHidden[step - 1];
        toState.addToX = true;
        linearBackward(hidden(step), weights.states, gates(step), toState);
    }
    const MutableTensorView dGates = flat(m_gates.view(), 0, steps);
    linearBackward(flat(x, 0, steps), weights.inputs, dGates,
                   {dx ? flat(dx, 0, steps) : dx, gradients.inputs, gradients.bias, true});
    linearBackward(flat(m_hidden.view(), 0, steps), weights.states, dGates,
                   {{}, gradients.states, {}, true});
}

std::unique_ptr<RecurrentLayer> makeRecurrentLayer(RecurrentKind kind)
{
    if (kind == RecurrentKind::Lstm)
        return std::make_unique<LstmLayer>();
    return std::make_unique<ElmanLayer>();
}

RecurrentState emptyState(RecurrentKind kind, std::int64_t rows, std::int64_t hidden)
{
    RecurrentState state{Tensor({rows, hidden}), {}};
    if (kind == RecurrentKind::Lstm)
        state.cell = Tensor({rows, hidden});
    return state;
}

} // namespace headscope
