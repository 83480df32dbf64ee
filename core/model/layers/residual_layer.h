#pragma once

#include "core/model/layers/block_layers.h"

namespace headscope {

/// Computes out = residual + dropout(in W^T + b): the end of a sublayer. Here and below a model
/// without residual connections has no `residual`: nothing is added.
class ResidualLayer : public Layer
{
public:
    struct Values
    {
        ValueRef in;
        ValueRef residual; ///< May be none.
        ValueRef out;      ///< Shares its gradient with `residual`.
        ValueRef scratch;  ///< Scratch, width d.
    };

    /// Without a site nothing is observed here: an AddLayer follows.
    ResidualLayer(LinearRef linear, Values values, std::optional<TraceKey> site,
                  std::uint64_t dropoutSite)
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
    std::optional<TraceKey> m_site;
    std::uint64_t m_dropoutSite;
};

/// Upstream gradient of a sublayer that was added to a residual stream, masked like the forward
/// pass and observed: in `scratch` where that changes it, or where a copy is requested.
TensorView sublayerGradient(ModelPass& pass, ValueRef out, ValueRef scratch,
                            std::optional<TraceKey> site, std::uint64_t dropoutSite,
                            bool copied = false);

/// Computes out = residual + dropout(sublayer), observed; may change `sublayer`.
void addSublayer(ModelPass& pass, MutableTensorView sublayer, ValueRef residual, ValueRef out,
                 std::optional<TraceKey> site, std::uint64_t dropoutSite);

/// Computes out = residual + in W^T + b in one product: training without dropout and observers.
void addProjection(ModelPass& pass, const LinearRef& linear, TensorView in, ValueRef residual,
                   ValueRef out);

} // namespace headscope
