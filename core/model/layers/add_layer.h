#pragma once

#include "core/model/layers/block_layers.h"

namespace headscope {

/// Computes out = residual + scale * in: what a sublayer adds where a norm (OLMo 2, Gemma 2) or a
/// factor (Granite) comes after its projection. The site is what is added.
class AddLayer : public Layer
{
public:
    struct Values
    {
        ValueRef in;
        ValueRef residual; ///< May be none.
        ValueRef out;      ///< Shares its gradient with `residual`.
        ValueRef scratch;  ///< Scratch, width d.
    };

    AddLayer(Values values, float scale, TraceKey site)
        : m_values(values)
        , m_scale(scale)
        , m_site(site)
    {
    }

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

private:
    Values m_values;
    float m_scale;
    TraceKey m_site;
};

} // namespace headscope
