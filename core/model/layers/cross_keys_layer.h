#pragma once

#include "core/model/layers/block_layers.h"

namespace headscope {

/// Keys and values of the source tokens: computed once where there is a cache.
class CrossKeysLayer : public LinearLayer
{
public:
    using LinearLayer::LinearLayer;

    void forward(ModelPass& pass) const override;
};

/// Keeps a program's result until its backward pass begins.
class OutputLayer : public Layer
{
public:
    OutputLayer() = default;

    /// Takes `last`, whose gradient begins at zero because nothing outside this program provides
    /// one.
    explicit OutputLayer(ValueRef last) : m_last(last) {}

    void forward(ModelPass&) const override {}

    void backward(ModelPass& pass) const override;

private:
    ValueRef m_last;
};

} // namespace headscope
