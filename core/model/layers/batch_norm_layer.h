#pragma once

#include "core/model/layers/block_layers.h"
#include "core/ops/batch_norm.h"

namespace headscope {

/// Parameters of one BatchNorm, and its running statistics.
struct BatchNormRef
{
    float epsilon = 1e-5F;
    ParameterRef gamma;
    ParameterRef beta;
    ParameterRef runningMean;
    ParameterRef runningVariance;
};

/// Computes out = batchNorm(in); keeps in. In training it normalises with the moments of the tokens
/// of the whole batch that are no padding, and leaves these moments (the variance with divisor
/// n - 1, as running averages take it) at the running statistics' place among the gradients: see
/// RunningStatistics. Without parameter gradients the model is in use: running statistics.
class BatchNormLayer : public Layer
{
public:
    BatchNormLayer(BatchNormRef norm, ValueRef in, ValueRef out, std::optional<TraceKey> site)
        : m_norm(norm)
        , m_in(in)
        , m_out(out)
        , m_site(site)
    {
    }

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

private:
    CountedRows counted(const ModelPass& pass) const;
    BatchNormParameters parameters(const ModelPass& pass) const;
    void measure(ModelPass& pass, TensorView in) const;

    BatchNormRef m_norm;
    ValueRef m_in;
    ValueRef m_out;
    std::optional<TraceKey> m_site;
};

} // namespace headscope
