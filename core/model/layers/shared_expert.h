#pragma once

#include "core/model/layers/feed_forward_layer.h"

#include <vector>

namespace headscope {

/// Feed-forward network beside the experts of a layer that sees every token: adds
/// sigmoid(w in) (W2 f(W1 in + b1) + b2), or without the factor (Qwen2-MoE, DeepSeekMoE).
class SharedExpert
{
public:
    struct Values
    {
        ValueRef hidden;  ///< Pre-activations, width d_ff (2 d_ff with a gate).
        ValueRef result;  ///< Output of the network, width d.
        ValueRef factor;  ///< Factor after the sigmoid, width 1; none without one.
        ValueRef active;  ///< Activations (scratch), width d_ff.
        ValueRef dHidden; ///< Gradient of the pre-activations (scratch), width of hidden.
        ValueRef dActive; ///< Gradient of the activations (scratch), width d_ff.
        ValueRef dResult; ///< Gradient of the output (scratch), width d.
        ValueRef dFactor; ///< Gradient of the factor (scratch), width 1; none without one.

        std::vector<ValueRef> made() const;
        std::vector<ValueRef> scratch() const;
    };

    SharedExpert(FeedForwardRef network, LinearRef scale, Values values)
        : m_network(network)
        , m_scale(scale)
        , m_values(values)
    {
    }

    const Values& values() const { return m_values; }

    /// Adds to `sublayer` [n, d].
    void forward(ModelPass& pass, MutableTensorView in, MutableTensorView sublayer) const;

    /// Adds to dIn, given the gradient of the sum.
    void backward(ModelPass& pass, TensorView in, TensorView dSum, MutableTensorView dIn) const;

private:
    bool hasFactor() const { return static_cast<bool>(m_scale.weight); }

    void backwardFactor(ModelPass& pass, TensorView in, TensorView dSum,
                        MutableTensorView dIn) const;

    FeedForwardRef m_network;
    LinearRef m_scale; ///< Logit of the factor; empty: 1.
    Values m_values;
};

} // namespace headscope
