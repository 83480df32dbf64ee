#include "core/analysis/lens/lens_head.h"

#include "core/analysis/lens/frozen_norm.h"
#include "core/base/error.h"
#include "core/model/weights/lazy_parameters.h"
#include "core/model/weights/model_norm.h"
#include "core/ops/activations.h"
#include "core/ops/kernels.h"
#include "core/ops/linear.h"

#include <algorithm>

namespace headscope {

namespace {

std::string unembeddingOf(const ModelConfig& config)
{
    return config.tieEmbeddings ? "tok_emb.weight" : "head.weight";
}

/// Packed like the model's own weights: the same kernels give the same bits.
PackedLinear packed(const Model& model, const std::string& name, TensorView bias)
{
    const ParameterSpec& spec = *model.parameters().find(name);
    const LazyParameters* stored = model.parameters().stored();
    if (stored == nullptr)
        return {model.parameters().view(spec), bias};
    StoredParameter part = stored->parameter(stored->indexAt(spec.offset));
    if (part.isAbsent()) { // zeros need their shape to be unpacked
        part.rows = spec.shape[0];
        part.columns = spec.shape[1];
    }
    return {std::vector<StoredParameter>{std::move(part)}, bias};
}

ActivationKind headActivation(const ModelConfig& config)
{
    switch (config.activation) {
    case Activation::Relu:
        return ActivationKind::Relu;
    case Activation::GeluTanh:
        return ActivationKind::GeluTanh;
    default: // gated activations have no gate in a head
        return ActivationKind::GeluExact;
    }
}

void multiply(MutableTensorView view, float factor)
{
    if (factor != 1.0F)
        std::transform(view.data, view.data + view.shape.elementCount(), view.data,
                       [factor](float value) { return factor * value; });
}

} // namespace

/// Intermediate rows [rows, d] each; empty where the model has no such part.
struct LensHead::Hidden
{
    Tensor normed; ///< After the final norm.
    Tensor dense;  ///< Before the activation function.
    Tensor active;
    Tensor transformed;

    TensorView last(TensorView stream) const
    {
        if (!transformed.empty())
            return transformed.view();
        return normed.empty() ? stream : normed.view();
    }
};

LensHead::LensHead(const Model& model) : m_model(model), m_config(model.config())
{
    if (!m_config.languageHead)
        throw Error("the model predicts no tokens", "logit lens",
                    "Choose a model with a language head");
    if (m_config.headTransform)
        m_dense =
            packed(model, "head.dense.weight", parameterOrNothing(m_model, "head.dense.bias"));
    const bool biasApart = m_config.headScale != 1.0; // the bias is not scaled
    m_unembedding = packed(model, unembeddingOf(m_config),
                           biasApart ? TensorView() : parameterOrNothing(m_model, "head.bias"));
}

void LensHead::normalise(const std::string& name, TensorView in, MutableTensorView out) const
{
    applyNorm(m_config, m_model.parameters(), name, in, out);
}

LensHead::Hidden LensHead::hiddenOf(TensorView stream) const
{
    Hidden hidden;
    TensorView in = stream;
    if (m_config.hasFinalNorm()) {
        hidden.normed = Tensor(stream.shape);
        normalise("ln_f", in, hidden.normed.view());
        in = hidden.normed.view();
    }
    if (m_config.headTransform) {
        hidden.dense = hidden.active = hidden.transformed =
            Tensor({stream.shape[0], m_config.embeddingDim()});
        m_dense.apply(in, hidden.dense.view());
        activation(headActivation(m_config), hidden.dense.view(), {}, hidden.active.view());
        normalise("head.ln", hidden.active.view(), hidden.transformed.view());
    }
    return hidden;
}

void LensHead::logits(TensorView stream, MutableTensorView logits) const
{
    const Hidden hidden = hiddenOf(stream);
    m_unembedding.apply(hidden.last(stream), logits);
    m_model.parameters().requireUnchanged();
    multiply(logits, static_cast<float>(m_config.headScale));
    const TensorView bias = parameterOrNothing(m_model, "head.bias");
    if (bias && m_config.headScale != 1.0)
        kernels().addBias(logits.data, bias.data, logits.data, logits.shape[0], logits.shape[1]);
    softCap(static_cast<float>(m_config.logitCap), logits);
}

void LensHead::normaliseBackward(const std::string& name, TensorView in, TensorView dOut,
                                 MutableTensorView dIn) const
{
    applyNormBackward(m_config, m_model.parameters(), name, in, dOut, dIn);
}

void LensHead::backward(TensorView stream, MutableTensorView dLogits,
                        MutableTensorView dStream) const
{
    // logits = cap(scale * hidden U^T + b), hidden = head.ln(f(W ln_f(stream) + c)), with the parts that
    // exist
    const Hidden hidden = hiddenOf(stream);
    Tensor dLast(m_config.headTransform ? hidden.transformed.shape() : Shape{0});
    LinearGradients into;
    into.x = m_config.headTransform ? dLast.view() : dStream;
    if (m_config.logitCap > 0.0) {
        Tensor capped(dLogits.shape);
        logits(stream, capped.view());
        softCapBackward(static_cast<float>(m_config.logitCap), capped.view(), dLogits);
    }
    multiply(dLogits, static_cast<float>(m_config.headScale));
    linearBackward(hidden.last(stream), m_model.parameters().view(unembeddingOf(m_config)), dLogits,
                   into);
    if (m_config.headTransform) {
        Tensor dDense(dLast.shape());
        normaliseBackward("head.ln", hidden.active.view(), dLast.view(), dDense.view());
        activationBackward(headActivation(m_config), hidden.dense.view(), dDense.view());
        into.x = dStream;
        linearBackward(hidden.normed.empty() ? stream : hidden.normed.view(),
                       m_model.parameters().view("head.dense.weight"), dDense.view(), into);
    }
    if (m_config.hasFinalNorm()) {
        Tensor between(stream.shape);
        std::copy_n(dStream.data, dStream.shape.elementCount(), between.data());
        normaliseBackward("ln_f", stream, between.view(), dStream);
    }
}

Tensor lensLogits(const Model& model, TensorView stream)
{
    const LensHead head(model);
    Tensor logits({stream.shape[0], head.vocabulary()});
    head.logits(stream, logits.view());
    return logits;
}

} // namespace headscope
