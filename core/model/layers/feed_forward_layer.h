#pragma once

#include "core/model/layers/residual_layer.h"
#include "core/ops/activations.h"

namespace headscope {

/// The two products of a feed-forward network and the nonlinearity between them. With a gate,
/// `expand` computes gate and up in one matrix, [n, 2 d_ff].
struct FeedForwardRef
{
    LinearRef expand;
    LinearRef contract;
    ActivationKind kind = ActivationKind::GeluExact;
    bool gated = false;
    bool clamped = false;   ///< The gate of gpt-oss in place of `kind`.
    std::int64_t width = 0; ///< Width d_ff.
};

ActivationKind activationKind(Activation activation);

/// Computes active = f(hidden + bias), or f(gate) * up; adds the bias to `hidden` too.
void activate(ModelPass& pass, const FeedForwardRef& part, MutableTensorView hidden,
              MutableTensorView active);

/// Propagates d active to d hidden; recomputes `active` on the way.
void activateBackward(ModelPass& pass, const FeedForwardRef& part, TensorView hidden,
                      MutableTensorView dActive, MutableTensorView dHidden,
                      MutableTensorView active);

/// Computes out = residual + dropout(W2 f(W1 in + b1) + b2).
class FeedForwardLayer : public Layer
{
public:
    struct Values
    {
        ValueRef in;
        ValueRef residual;
        ValueRef out;     ///< Shares its gradient with `residual`.
        ValueRef hidden;  ///< Pre-activations, width d_ff, or 2 d_ff with a gate.
        ValueRef active;  ///< Activations (scratch), width d_ff.
        ValueRef dHidden; ///< Gradient of the pre-activations (scratch), width of hidden.
        ValueRef dActive; ///< Gradient of the activations (scratch), width d_ff; only with a gate.
        ValueRef scratch; ///< Scratch, width d.
    };

    /// Without `notesOutput` an AddLayer observes what is added.
    FeedForwardLayer(FeedForwardRef part, Values values, Place place, std::uint64_t dropoutSite,
                     bool notesOutput)
        : m_part(part)
        , m_values(values)
        , m_place(place)
        , m_dropoutSite(dropoutSite)
        , m_notesOutput(notesOutput)
    {
    }

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

private:
    void expand(ModelPass& pass, MutableTensorView hidden, MutableTensorView active) const;
    void noteHidden(ModelPass& pass, MutableTensorView hidden, bool gradient) const;
    std::optional<TraceKey> outputSite() const;

    FeedForwardRef m_part;
    Values m_values;
    Place m_place;
    std::uint64_t m_dropoutSite;
    bool m_notesOutput;
};

} // namespace headscope
