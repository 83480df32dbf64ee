#include "core/model/layers/shared_expert.h"

#include "core/model/pass/model_pass.h"
#include "core/ops/kernels.h"
#include "core/ops/linear.h"

#include <cmath>
#include <numeric>

namespace headscope {

namespace {

float sigmoid(float x)
{
    return 1.0F / (1.0F + std::exp(-x));
}

} // namespace

std::vector<ValueRef> SharedExpert::Values::made() const
{
    std::vector<ValueRef> values{hidden, result};
    if (factor)
        values.push_back(factor);
    return values;
}

std::vector<ValueRef> SharedExpert::Values::scratch() const
{
    std::vector<ValueRef> values{active, dHidden, dActive, dResult};
    if (dFactor)
        values.push_back(dFactor);
    return values;
}

void SharedExpert::forward(ModelPass& pass, MutableTensorView in, MutableTensorView sublayer) const
{
    const MutableTensorView hidden = pass.value(m_values.hidden);
    const MutableTensorView active = pass.scratch(m_values.active);
    const MutableTensorView result = pass.value(m_values.result);
    pass.linear(m_network.expand, in, hidden);
    FeedForwardRef withoutBias = m_network;
    withoutBias.expand.bias = {};
    activate(pass, withoutBias, hidden, active);
    pass.linear(m_network.contract, active, result);
    if (!hasFactor()) {
        kernels().add(result.data, sublayer.data, result.shape.elementCount());
        return;
    }
    const MutableTensorView factor = pass.value(m_values.factor);
    pass.linear(m_scale, in, factor);
    const std::int64_t d = result.shape[1];
    for (std::int64_t row = 0; row < result.shape[0]; ++row) {
        factor(row, 0) = sigmoid(factor(row, 0));
        kernels().addScaled(result[row].data, factor(row, 0), sublayer[row].data, d);
    }
}

/// d logit = s (1 - s) <result, d sum> of every row.
void SharedExpert::backwardFactor(ModelPass& pass, TensorView in, TensorView dSum,
                                  MutableTensorView dIn) const
{
    const MutableTensorView result = pass.value(m_values.result);
    const MutableTensorView factor = pass.value(m_values.factor);
    const MutableTensorView dFactor = pass.scratch(m_values.dFactor);
    for (std::int64_t row = 0; row < result.shape[0]; ++row) {
        const float* const first = result[row].data;
        const float dot = std::inner_product(first, first + result.shape[1], dSum[row].data, 0.0F);
        dFactor(row, 0) = dot * factor(row, 0) * (1.0F - factor(row, 0));
    }
    pass.linearBackward(m_scale, in, dFactor, dIn, true);
}

void SharedExpert::backward(ModelPass& pass, TensorView in, TensorView dSum,
                            MutableTensorView dIn) const
{
    // forward: sum += s (W2 f(W1 in + b1) + b2), s = sigmoid(w in)
    const MutableTensorView hidden = pass.value(m_values.hidden);
    const MutableTensorView active = pass.scratch(m_values.active);
    const MutableTensorView dHidden = pass.scratch(m_values.dHidden);
    const MutableTensorView dActive = pass.scratch(m_values.dActive);
    const MutableTensorView dResult = pass.scratch(m_values.dResult);
    const std::int64_t d = dResult.shape[1];
    for (std::int64_t row = 0; row < dResult.shape[0]; ++row) {
        const float factor = hasFactor() ? pass.value(m_values.factor)(row, 0) : 1.0F;
        kernels().scaleAdd(dSum[row].data, factor, nullptr, dResult[row].data, d);
    }
    linearBackward(active, pass.parameter(m_network.contract.weight), dResult, {dActive, {}, {}});
    activateBackward(pass, m_network, hidden, dActive, dHidden, active);
    pass.linearBackward(m_network.contract, active, dResult, {}, false);
    LinearRef withoutBias = m_network.expand;
    withoutBias.bias = {};
    pass.linearBackward(withoutBias, in, dHidden, dIn, true);
    if (hasFactor())
        backwardFactor(pass, in, dSum, dIn);
}

} // namespace headscope
