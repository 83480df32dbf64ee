#include "core/model/layers/batch_norm_layer.h"

#include "core/model/pass/model_pass.h"

#include <algorithm>

namespace headscope {

namespace {

bool normalisesBatches(const ModelPass& pass)
{
    return pass.training && pass.gradients != nullptr;
}

/// Factor between variances with divisor n and n - 1; 1 for a single row, which has no variance.
float divisorRatio(std::int64_t count)
{
    return count < 2 ? 1.0F : static_cast<float>(count) / static_cast<float>(count - 1);
}

void scale(MutableTensorView view, float factor)
{
    std::transform(view.data, view.data + view.shape.elementCount(), view.data,
                   [factor](float value) { return factor * value; });
}

} // namespace

CountedRows BatchNormLayer::counted(const ModelPass& pass) const
{
    return {pass.texts.keyMask, pass.texts.count(Rows::Query)};
}

BatchNormParameters BatchNormLayer::parameters(const ModelPass& pass) const
{
    return {m_norm.epsilon, pass.parameter(m_norm.gamma), pass.parameter(m_norm.beta)};
}

void BatchNormLayer::measure(ModelPass& pass, TensorView in) const
{
    batchMoments(in, counted(pass), pass.parameterGradient(m_norm.runningMean, false),
                 pass.parameterGradient(m_norm.runningVariance, false));
}

void BatchNormLayer::forward(ModelPass& pass) const
{
    const MutableTensorView in = pass.value(m_in);
    const MutableTensorView out = pass.value(m_out);
    if (normalisesBatches(pass)) {
        measure(pass, in);
        const MutableTensorView variance = pass.parameterGradient(m_norm.runningVariance, false);
        batchNorm(parameters(pass), {pass.parameterGradient(m_norm.runningMean, false), variance},
                  in, out);
        scale(variance, divisorRatio(counted(pass).count()));
    } else {
        batchNorm(parameters(pass),
                  {pass.parameter(m_norm.runningMean), pass.parameter(m_norm.runningVariance)}, in,
                  out);
    }
    if (m_site && pass.inspects())
        pass.note(*m_site, out);
}

void BatchNormLayer::backward(ModelPass& pass) const
{
    const MutableTensorView in = pass.value(m_in);
    const MutableTensorView dOut = pass.gradient(m_out);
    if (m_site && pass.inspects())
        pass.noteGradient(*m_site, dOut);
    const BatchNormGradients gradients{pass.gradient(m_in), pass.parameterGradient(m_norm.gamma),
                                       pass.parameterGradient(m_norm.beta)};
    if (!pass.accumulates(m_in))
        std::fill_n(gradients.x.data, gradients.x.shape.elementCount(), 0.0F);
    if (!normalisesBatches(pass)) {
        fixedNormBackward(
            parameters(pass),
            {pass.parameter(m_norm.runningMean), pass.parameter(m_norm.runningVariance)}, in, dOut,
            gradients);
        return;
    }
    const MutableTensorView variance = pass.parameterGradient(m_norm.runningVariance, false);
    const float ratio = divisorRatio(counted(pass).count());
    scale(variance, 1.0F / ratio);
    batchNormBackward(parameters(pass),
                      {pass.parameterGradient(m_norm.runningMean, false), variance}, counted(pass),
                      in, dOut, gradients);
    scale(variance, ratio);
}

} // namespace headscope
