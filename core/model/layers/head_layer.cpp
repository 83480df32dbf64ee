#include "core/model/layers/head_layer.h"

#include "core/model/run/run.h"
#include "core/ops/kernels.h"
#include "core/ops/linear.h"

#include <algorithm>

namespace headscope {

namespace {

/// Logits of this many values at a time (2 MiB) stay in the caches between softmax and its
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

/// How many targets have the highest score of their row.
std::int64_t highestScores(TensorView logits, std::span<const std::int32_t> targets)
{
    std::int64_t right = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const float* const row = logits.data + static_cast<std::int64_t>(i) * logits.shape[1];
        if (targets[i] != kIgnoreIndex)
            right += std::max_element(row, row + logits.shape[1]) - row == targets[i] ? 1 : 0;
    }
    return right;
}

} // namespace

void HeadLayer::forward(Run& run) const
{
    if (run.wantsLogits)
        logits(run);
    else if (!run.training)
        loss(run, false);
}

/// logits = scale * products + b
void HeadLayer::finish(Run& run, MutableTensorView products) const
{
    multiply(products, m_scale);
    if (m_bias)
        kernels().addBias(products.data, run.parameter(m_bias).data, products.data,
                          products.shape[0], products.shape[1]);
}

void HeadLayer::backwardFinish(Run& run, MutableTensorView dLogits) const
{
    const MutableTensorView dBias = run.parameterGradient(m_bias, false);
    for (std::int64_t row = 0; dBias && row < dLogits.shape[0]; ++row)
        kernels().add(dLogits[row].data, dBias.data, dLogits.shape[1]);
    multiply(dLogits, m_scale);
}

void HeadLayer::logits(Run& run) const
{
    MutableTensorView in = run.value(m_in);
    if (run.lastLogitsOnly)
        in = rowRange(in, in.shape[0] - 1, 1);
    const MutableTensorView logits =
        Workspace::take(run.workspace.logits, {in.shape[0], run.config.vocabularySize});
    run.linear(m_head, in, logits);
    finish(run, logits);
    if (run.inspects() && !run.lastLogitsOnly)
        run.note({Site::Logits, 0}, logits);
}

void HeadLayer::loss(Run& run, bool gradient) const
{
    // logits: [n, V], a stretch of rows at a time; dW = sum of d logits^T in
    const MutableTensorView in = run.value(m_in);
    const std::int64_t n = in.shape[0];
    const std::int64_t vocabulary = run.config.vocabularySize;
    const std::int64_t stretch = std::clamp<std::int64_t>(kLogitValues / vocabulary, 1, n);
    const MutableTensorView buffer = Workspace::take(run.workspace.logits, {stretch, vocabulary});
    for (std::int64_t first = 0; first < n; first += stretch) {
        const std::int64_t count = std::min(stretch, n - first);
        const MutableTensorView logits = rowRange(buffer, 0, count);
        const TensorView x = rowRange(in, first, count);
        linear(x, run.parameter(m_head.weight), run.parameter(m_head.bias), logits);
        finish(run, logits);
        run.loss.sum += crossEntropy(logits,
                                     run.loss.targets.subspan(static_cast<std::size_t>(first),
                                                              static_cast<std::size_t>(count)),
                                     {run.loss.smoothing, run.loss.scale, run.loss.convention},
                                     gradient ? logits : MutableTensorView());
        if (!gradient) {
            run.loss.right +=
                highestScores(logits, run.loss.targets.subspan(static_cast<std::size_t>(first),
                                                               static_cast<std::size_t>(count)));
            continue;
        }
        backwardFinish(run, logits);
        linearBackward(x, run.parameter(m_head.weight), logits,
                       {rowRange(run.gradient(m_in), first, count),
                        run.parameterGradient(m_head.weight, false),
                        run.parameterGradient(m_head.bias, false),
                        first > 0 || m_head.weight.shared, false});
    }
}

void HeadLayer::backward(Run& run) const
{
    run.parameterGradient(m_bias); // zeroed: rows are added to it
    if (!run.wantsLogits) {
        loss(run, true);
        return;
    }
    const MutableTensorView dLogits =
        Workspace::take(run.workspace.logits, run.logitGradient.shape);
    std::copy_n(run.logitGradient.data, dLogits.shape.elementCount(), dLogits.data);
    run.noteGradient({Site::Logits, 0}, dLogits);
    backwardFinish(run, dLogits);
    run.linearBackward(m_head, run.value(m_in), dLogits, run.gradient(m_in), false);
}

void DenseActivationLayer::forward(Run& run) const
{
    run.linear(m_linear, run.value(m_values.in), run.value(m_values.hidden));
    activation(m_kind, run.value(m_values.hidden), {}, run.value(m_values.out));
}

void DenseActivationLayer::backward(Run& run) const
{
    const MutableTensorView dHidden = run.gradient(m_values.hidden);
    const MutableTensorView dOut = run.gradient(m_values.out);
    std::copy_n(dOut.data, dOut.shape.elementCount(), dHidden.data);
    activationBackward(m_kind, run.value(m_values.hidden), dHidden);
    run.linearBackward(m_linear, run.value(m_values.in), dHidden, run.gradient(m_values.in),
                       run.accumulates(m_values.in));
}

/// First tokens, what the pooler makes of them, and the two logits: views of the workspace.
struct NextSentenceLayer::Pooled
{
    MutableTensorView first;  ///< [sequences, d]
    MutableTensorView hidden; ///< tanh(...): the same
    MutableTensorView logits; ///< [sequences, 2]
    MutableTensorView dFirst; ///< [sequences, d]
    MutableTensorView dHidden;
};

NextSentenceLayer::Pooled NextSentenceLayer::pooled(Run& run) const
{
    const TensorView in = run.value(m_in);
    const std::int64_t d = in.shape[1];
    const std::int64_t sequences = run.texts.sequences;
    float* next = Workspace::take(run.workspace.pooled, {sequences, 4 * d + 2}).data;
    const auto part = [&](std::int64_t width) {
        const MutableTensorView view(next, {sequences, width});
        next += sequences * width;
        return view;
    };
    const Pooled result{part(d), part(d), part(2), part(d), part(d)};
    for (std::int64_t sequence = 0; sequence < sequences; ++sequence)
        std::copy_n(in[sequence * run.texts.queryTokens].data, d, result.first[sequence].data);
    linear(result.first, run.parameter(m_pooler.weight), run.parameter(m_pooler.bias),
           result.hidden);
    activation(ActivationKind::Tanh, result.hidden, {}, result.hidden);
    linear(result.hidden, run.parameter(m_classifier.weight), run.parameter(m_classifier.bias),
           result.logits);
    return result;
}

void NextSentenceLayer::forward(Run& run) const
{
    if (run.wants({Site::NextSentence, 0}))
        run.note({Site::NextSentence, 0}, pooled(run).logits);
    else if (!run.wantsLogits && !run.training && !run.loss.nextSentence.empty())
        run.loss.nextSentenceSum += crossEntropy(pooled(run).logits, run.loss.nextSentence, {});
}

void NextSentenceLayer::backward(Run& run) const
{
    for (const LinearRef* linear : {&m_pooler, &m_classifier}) {
        run.parameterGradient(linear->weight);
        run.parameterGradient(linear->bias);
    }
    if (run.wantsLogits || run.loss.nextSentence.empty())
        return;
    const Pooled part = pooled(run);
    run.loss.nextSentenceSum +=
        crossEntropy(part.logits, run.loss.nextSentence,
                     {0.0F, run.loss.nextSentenceScale, LabelSmoothing::Uniform}, part.logits);
    run.linearBackward(m_classifier, part.hidden, part.logits, part.dHidden, false);
    // tanh' = 1 - tanh^2
    std::transform(part.hidden.data, part.hidden.data + part.hidden.shape.elementCount(),
                   part.dHidden.data, part.dHidden.data,
                   [](float value, float gradient) { return gradient * (1.0F - value * value); });
    run.linearBackward(m_pooler, part.first, part.dHidden, part.dFirst, false);
    const MutableTensorView dIn = run.gradient(m_in);
    for (std::int64_t sequence = 0; sequence < run.texts.sequences; ++sequence)
        kernels().add(part.dFirst[sequence].data, dIn[sequence * run.texts.queryTokens].data,
                      dIn.shape[1]);
}

} // namespace headscope
