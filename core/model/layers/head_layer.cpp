#include "core/model/layers/head_layer.h"

#include "core/model/pass/model_pass.h"
#include "core/ops/activations.h"
#include "core/ops/kernels.h"
#include "core/ops/linear.h"
#include "core/tensor/largest.h"

#include <algorithm>

namespace headscope {

namespace {

/// Number of logits computed at a time (2 MiB), which stay in the caches between softmax and its
/// products.
constexpr std::int64_t kLogitValues = 1 << 19;

void multiply(MutableTensorView view, float factor)
{
    if (factor == 1.0F)
        return;
    const std::int64_t count = view.shape.elementCount();
    std::transform(view.data, view.data + count, view.data,
                   [factor](float value) { return factor * value; });
}

MutableTensorView rowRange(MutableTensorView view, std::int64_t first, std::int64_t count)
{
    return {view.data + first * view.shape[1], {count, view.shape[1]}};
}

/// Number of targets with the highest score of their row.
std::int64_t highestScores(TensorView logits, std::span<const std::int32_t> targets)
{
    std::int64_t right = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const float* const row = logits.data + static_cast<std::int64_t>(i) * logits.shape[1];
        if (targets[i] != kIgnoreIndex)
            right += largestIndex({row, static_cast<std::size_t>(logits.shape[1])}) == targets[i];
    }
    return right;
}

} // namespace

void HeadLayer::forward(ModelPass& pass) const
{
    if (pass.wantsLogits)
        logits(pass);
    else if (!pass.training)
        loss(pass, false);
}

/// Keeps capped logits for the backward pass, which overwrites them with their gradients.
void HeadLayer::keepCapped(ModelPass& pass, TensorView logits) const
{
    if (m_cap > 0.0F)
        std::copy_n(logits.data, logits.shape.elementCount(),
                    Workspace::take(pass.workspace.cappedLogits, logits.shape).data);
}

/// Computes logits = scale * products + b, capped.
void HeadLayer::finish(ModelPass& pass, MutableTensorView products) const
{
    multiply(products, m_scale);
    if (m_bias)
        kernels().addBias(products.data, pass.parameter(m_bias).data, products.data,
                          products.shape[0], products.shape[1]);
    softCap(m_cap, products);
}

void HeadLayer::backwardFinish(ModelPass& pass, MutableTensorView dLogits) const
{
    softCapBackward(m_cap, {pass.workspace.cappedLogits.data(), dLogits.shape}, dLogits);
    const MutableTensorView dBias = pass.parameterGradient(m_bias, false);
    for (std::int64_t row = 0; dBias && row < dLogits.shape[0]; ++row)
        kernels().add(dLogits[row].data, dBias.data, dLogits.shape[1]);
    multiply(dLogits, m_scale);
}

void HeadLayer::logits(ModelPass& pass) const
{
    MutableTensorView in = pass.value(m_in);
    if (pass.lastLogitsOnly)
        in = rowRange(in, in.shape[0] - 1, 1);
    const MutableTensorView logits =
        Workspace::take(pass.workspace.logits, {in.shape[0], pass.config.vocabularySize});
    pass.linear(m_head, in, logits);
    finish(pass, logits);
    if (pass.inspects() && !pass.lastLogitsOnly)
        pass.note({Site::Logits, 0}, logits);
}

void HeadLayer::loss(ModelPass& pass, bool gradient) const
{
    // logits: [n, V], a chunk of rows at a time; dW = sum of d logits^T in
    const MutableTensorView in = pass.value(m_in);
    const std::int64_t n = in.shape[0];
    const std::int64_t vocabulary = pass.config.vocabularySize;
    const std::int64_t stretch = std::clamp<std::int64_t>(kLogitValues / vocabulary, 1, n);
    const MutableTensorView buffer = Workspace::take(pass.workspace.logits, {stretch, vocabulary});
    for (std::int64_t first = 0; first < n; first += stretch) {
        const std::int64_t count = std::min(stretch, n - first);
        const MutableTensorView logits = rowRange(buffer, 0, count);
        const TensorView x = rowRange(in, first, count);
        linear(x, pass.parameter(m_head.weight), pass.parameter(m_head.bias), logits);
        finish(pass, logits);
        if (gradient)
            keepCapped(pass, logits);
        pass.loss.sum += crossEntropy(logits, pass.loss.targets.subspan(first, count),
                                      {pass.loss.smoothing, pass.loss.scale, pass.loss.convention},
                                      gradient ? logits : MutableTensorView());
        if (!gradient) {
            pass.loss.right += highestScores(logits, pass.loss.targets.subspan(first, count));
            continue;
        }
        backwardFinish(pass, logits);
        linearBackward(x, pass.parameter(m_head.weight), logits,
                       {rowRange(pass.gradient(m_in), first, count),
                        pass.parameterGradient(m_head.weight, false),
                        pass.parameterGradient(m_head.bias, false),
                        first > 0 || m_head.weight.shared, false});
    }
}

void HeadLayer::backward(ModelPass& pass) const
{
    pass.parameterGradient(m_bias); // zeroed: rows are added to it
    if (!pass.wantsLogits) {
        loss(pass, true);
        return;
    }
    const MutableTensorView dLogits =
        Workspace::take(pass.workspace.logits, pass.logitGradient.shape);
    keepCapped(pass, dLogits); // still the logits of the forward pass
    std::copy_n(pass.logitGradient.data, dLogits.shape.elementCount(), dLogits.data);
    pass.noteGradient({Site::Logits, 0}, dLogits);
    backwardFinish(pass, dLogits);
    pass.linearBackward(m_head, pass.value(m_in), dLogits, pass.gradient(m_in), false);
}

void DenseActivationLayer::forward(ModelPass& pass) const
{
    pass.linear(m_linear, pass.value(m_values.in), pass.value(m_values.hidden));
    activation(m_kind, pass.value(m_values.hidden), {}, pass.value(m_values.out));
}

void DenseActivationLayer::backward(ModelPass& pass) const
{
    const MutableTensorView dHidden = pass.gradient(m_values.hidden);
    const MutableTensorView dOut = pass.gradient(m_values.out);
    std::copy_n(dOut.data, dOut.shape.elementCount(), dHidden.data);
    activationBackward(m_kind, pass.value(m_values.hidden), dHidden);
    pass.linearBackward(m_linear, pass.value(m_values.in), dHidden, pass.gradient(m_values.in),
                        pass.accumulates(m_values.in));
}

/// First tokens, their pooled states, and the two logits: views of the workspace.
struct NextSentenceLayer::Pooled
{
    MutableTensorView first;  ///< First tokens [sequences, d].
    MutableTensorView hidden; ///< Pooled states [sequences, d]: tanh(...).
    MutableTensorView logits; ///< Logits [sequences, 2].
    MutableTensorView dFirst; ///< Gradient of the first tokens [sequences, d].
    MutableTensorView dHidden;
};

NextSentenceLayer::Pooled NextSentenceLayer::pooled(ModelPass& pass) const
{
    const TensorView in = pass.value(m_in);
    const std::int64_t d = in.shape[1];
    const std::int64_t sequences = pass.texts.sequences;
    float* next = Workspace::take(pass.workspace.pooled, {sequences, 4 * d + 2}).data;
    const auto part = [&](std::int64_t width) {
        const MutableTensorView view(next, {sequences, width});
        next += sequences * width;
        return view;
    };
    const Pooled result{part(d), part(d), part(2), part(d), part(d)};
    for (std::int64_t sequence = 0; sequence < sequences; ++sequence)
        std::copy_n(in[sequence * pass.texts.queryTokens].data, d, result.first[sequence].data);
    linear(result.first, pass.parameter(m_pooler.weight), pass.parameter(m_pooler.bias),
           result.hidden);
    activation(ActivationKind::Tanh, result.hidden, {}, result.hidden);
    linear(result.hidden, pass.parameter(m_classifier.weight), pass.parameter(m_classifier.bias),
           result.logits);
    return result;
}

void NextSentenceLayer::forward(ModelPass& pass) const
{
    if (pass.wants({Site::NextSentence, 0}))
        pass.note({Site::NextSentence, 0}, pooled(pass).logits);
    else if (!pass.wantsLogits && !pass.training && !pass.loss.nextSentence.empty())
        pass.loss.nextSentenceSum += crossEntropy(pooled(pass).logits, pass.loss.nextSentence, {});
}

void NextSentenceLayer::backward(ModelPass& pass) const
{
    for (const LinearRef* linear : {&m_pooler, &m_classifier}) {
        pass.parameterGradient(linear->weight);
        pass.parameterGradient(linear->bias);
    }
    if (pass.wantsLogits || pass.loss.nextSentence.empty())
        return;
    const Pooled part = pooled(pass);
    pass.loss.nextSentenceSum +=
        crossEntropy(part.logits, pass.loss.nextSentence,
                     {0.0F, pass.loss.nextSentenceScale, LabelSmoothing::Uniform}, part.logits);
    pass.linearBackward(m_classifier, part.hidden, part.logits, part.dHidden, false);
    // tanh' = 1 - tanh^2
    std::transform(part.hidden.data, part.hidden.data + part.hidden.shape.elementCount(),
                   part.dHidden.data, part.dHidden.data,
                   [](float value, float gradient) { return gradient * (1.0F - value * value); });
    pass.linearBackward(m_pooler, part.first, part.dHidden, part.dFirst, false);
    const MutableTensorView dIn = pass.gradient(m_in);
    for (std::int64_t sequence = 0; sequence < pass.texts.sequences; ++sequence)
        kernels().add(part.dFirst[sequence].data, dIn[sequence * pass.texts.queryTokens].data,
                      dIn.shape[1]);
}

} // namespace headscope
