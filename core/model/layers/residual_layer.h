#pragma once

#include "core/model/layers/block_layers.h"

namespace headscope {

/// out = residual + dropout(in W^T + b): the end of a sublayer.
class ResidualLayer : public Layer
{
public:
    struct Values
    {
        ValueRef in;
        ValueRef residual;
        ValueRef out;     ///< shares its gradient with `residual`
        ValueRef scratch; ///< width d
    };

    ResidualLayer(LinearRef linear, Values values, TraceKey site, std::uint64_t dropoutSite)
        : m_linear(linear)
        , m_values(values)
        , m_site(site)
        , m_dropoutSite(dropoutSite)
    {
    }

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

private:
    LinearRef m_linear;
    Values m_values;
    TraceKey m_site;
    std::uint64_t m_dropoutSite;
};

/// The upstream gradient of a sublayer that was added to a residual stream, masked as the forward
/// was and observed: in `scratch` where that changes it, or where a copy is asked for.
TensorView sublayerGradient(ModelPass& pass, ValueRef out, ValueRef scratch, TraceKey site,
                            std::uint64_t dropoutSite, bool copied = false);

/// out = residual + dropout(sublayer), observed; `sublayer` may be changed.
void addSublayer(ModelPass& pass, MutableTensorView sublayer, ValueRef residual, ValueRef out,
                 TraceKey site, std::uint64_t dropoutSite);

/// out = residual + in W^T + b in one product: training without dropout and observers.
void addProjection(ModelPass& pass, const LinearRef& linear, TensorView in, ValueRef residual,
                   ValueRef out);

} // namespace headscope
