#pragma once

#include "core/model/layers/block_layers.h"
#include "core/ops/activations.h"

namespace headscope {

/// Computes logits = (scale * in) W^T + b, capped as c tanh(logits / c) with a cap c, and in training their cross-entropy, a chunk of rows at
/// a time, so that they never exist all at once. Its backward pass computes the loss as well.
class HeadLayer : public Layer
{
public:
    /// Takes `bias` separately from `head`, because `scale` multiplies the product only.
    HeadLayer(LinearRef head, ParameterRef bias, ValueRef in, float scale, float cap)
        : m_head(head)
        , m_bias(bias)
        , m_in(in)
        , m_scale(scale)
        , m_cap(cap)
    {
    }

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

private:
    void logits(ModelPass& pass) const;
    void keepCapped(ModelPass& pass, TensorView logits) const;
    void loss(ModelPass& pass, bool gradient) const;
    void finish(ModelPass& pass, MutableTensorView products) const;
    void backwardFinish(ModelPass& pass, MutableTensorView dLogits) const;

    LinearRef m_head;
    ParameterRef m_bias;
    ValueRef m_in;
    float m_scale;
    float m_cap; ///< 0: none.
};

/// Computes out = f(in W^T + b): the transform before BERT's language head.
class DenseActivationLayer : public Layer
{
public:
    struct Values
    {
        ValueRef in;
        ValueRef hidden; ///< Pre-activation in W^T + b.
        ValueRef out;
    };

    DenseActivationLayer(LinearRef linear, Values values, ActivationKind kind)
        : m_linear(linear)
        , m_values(values)
        , m_kind(kind)
    {
    }

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

private:
    LinearRef m_linear;
    Values m_values;
    ActivationKind m_kind;
};

/// Computes two logits from tanh(W x_0 + b) of every sequence's first token (Devlin et al. 2019,
/// section 3.1).
class NextSentenceLayer : public Layer
{
public:
    NextSentenceLayer(LinearRef pooler, LinearRef classifier, ValueRef in)
        : m_pooler(pooler)
        , m_classifier(classifier)
        , m_in(in)
    {
    }

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

private:
    struct Pooled;
    Pooled pooled(ModelPass& pass) const;

    LinearRef m_pooler;
    LinearRef m_classifier;
    ValueRef m_in;
};

} // namespace headscope
