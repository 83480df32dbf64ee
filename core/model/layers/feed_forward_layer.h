#pragma once

#include "core/model/layers/residual_layer.h"
#include "core/ops/activations.h"

namespace headscope {

/// The two products of a feed-forward part and what lies between them. With a gate, `expand` makes
/// gate and up side by side, [n, 2 d_ff].
struct FeedForwardRef
{
    LinearRef expand;
    LinearRef contract;
    ActivationKind kind = ActivationKind::GeluExact;
    bool gated = false;
    std::int64_t width = 0; ///< d_ff
};

ActivationKind activationKind(Activation activation);

/// active = f(hidden + bias), or f(gate) * up; `hidden` gets the bias too.
void activate(ModelPass& pass, const FeedForwardRef& part, MutableTensorView hidden,
              MutableTensorView active);

/// From d active to d hidden; `active` is computed again on the way.
void activateBackward(ModelPass& pass, const FeedForwardRef& part, TensorView hidden,
                      MutableTensorView dActive, MutableTensorView dHidden,
                      MutableTensorView active);

/// out = residual + dropout(W2 f(W1 in + b1) + b2)
class FeedForwardLayer : public Layer
{
public:
    struct Values
    {
        ValueRef in;
        ValueRef residual;
        ValueRef out;     ///< shares its gradient with `residual`
        ValueRef hidden;  ///< width d_ff, or 2 d_ff with a gate
        ValueRef active;  ///< scratch, width d_ff
        ValueRef dHidden; ///< scratch, width of hidden
        ValueRef dActive; ///< scratch, width d_ff; only with a gate
        ValueRef scratch; ///< width d
    };

    FeedForwardLayer(FeedForwardRef part, Values values, Place place, std::uint64_t dropoutSite)
        : m_part(part)
        , m_values(values)
        , m_place(place)
        , m_dropoutSite(dropoutSite)
    {
    }

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

private:
    void expand(ModelPass& pass, MutableTensorView hidden, MutableTensorView active) const;
    void noteHidden(ModelPass& pass, MutableTensorView hidden, bool gradient) const;

    FeedForwardRef m_part;
    Values m_values;
    Place m_place;
    std::uint64_t m_dropoutSite;
};

} // namespace headscope
