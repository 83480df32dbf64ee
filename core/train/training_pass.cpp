#include "core/train/training_pass.h"

#include "core/ops/activations.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/embedding.h"
#include "core/ops/kernels.h"
#include "core/ops/layer_norm.h"
#include "core/ops/linear.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

ActivationKind kindOf(Activation activation)
{
    switch (activation) {
    case Activation::Relu:
        return ActivationKind::Relu;
    case Activation::GeluTanh:
        return ActivationKind::GeluTanh;
    default:
        return ActivationKind::GeluExact;
    }
}

void zero(MutableTensorView view)
{
    std::fill_n(view.data, view.shape.elementCount(), 0.0F);
}

template<class View>
View rowRange(View view, std::int64_t first, std::int64_t count)
{
    return View(view.data + first * view.shape[1], {count, view.shape[1]});
}

EmbeddingInputs embeddingInputs(const DecoderWeights<const float>& weights, TensorView sinusoids,
                                const PassInputs& inputs, double scale)
{
    EmbeddingInputs result;
    result.table = weights.tokens;
    result.ids = inputs.ids;
    result.scale = static_cast<float>(scale);
    result.positions = weights.positions ? weights.positions : sinusoids;
    result.length = inputs.length;
    return result;
}

} // namespace

/// residual + dropout(input weight^T + bias)
struct TrainingPass::Projection
{
    TensorView input;
    TensorView weight;
    TensorView bias;
    TensorView residual;
    MutableTensorView output;
};

TrainingPass::TrainingPass(const ModelConfig& config, const Tensor& sinusoids,
                           std::unique_ptr<AttentionBackend> backend)
    : m_config(config)
    , m_sinusoids(sinusoids.empty() ? TensorView() : sinusoids.view())
    , m_backend(std::move(backend))
    , m_arena(config)
{
}

double TrainingPass::forward(const DecoderWeights<const float>& weights, const PassInputs& inputs)
{
    begin(weights, inputs);
    return lossOfRows(nullptr);
}

double TrainingPass::forwardBackward(const DecoderWeights<const float>& weights,
                                     const PassInputs& inputs,
                                     const DecoderWeights<float>& gradients)
{
    begin(weights, inputs);
    const double loss = lossOfRows(&gradients);
    for (std::size_t layer = m_arena.blocks.size(); layer-- > 0;) {
        if (m_config.dFf > 0)
            backwardFeedForward(layer, gradients.blocks[layer]);
        backwardAttention(layer, gradients.blocks[layer]);
    }
    backwardEmbedding(gradients);
    return loss;
}

void TrainingPass::begin(const DecoderWeights<const float>& weights, const PassInputs& inputs)
{
    m_weights = &weights;
    m_inputs = inputs;
    m_arena.layOut(inputs.rows, inputs.length);
    embed();
    for (std::size_t layer = 0; layer < m_arena.blocks.size(); ++layer) {
        attend(layer);
        if (m_config.dFf > 0)
            feedForward(layer);
    }
}

Dropout TrainingPass::dropoutAt(Site site, std::size_t layer) const
{
    const std::uint64_t number = 4 * layer + static_cast<std::uint64_t>(site);
    return Dropout(m_inputs.dropout ? m_config.dropout : 0.0, m_inputs.seed, m_inputs.step, number);
}

MutableTensorView TrainingPass::blockOutput(std::size_t layer)
{
    return layer + 1 < m_arena.blocks.size() ? m_arena.blocks[layer + 1].input : m_arena.output;
}

/// [n, parts * d] seen as [rows, heads, length, headDim] of one part.
MutableTensorView TrainingPass::headsOf(MutableTensorView fused, std::int64_t part,
                                        std::int64_t parts) const
{
    const std::int64_t width = parts * m_config.dModel;
    MutableTensorView view(fused.data + part * m_config.dModel,
                           {m_inputs.rows, m_config.heads, m_inputs.length, m_config.headDim()});
    view.strides = {m_inputs.length * width, m_config.headDim(), width, 1};
    return view;
}

void TrainingPass::embed()
{
    const MutableTensorView x = m_arena.blocks.empty() ? m_arena.output : m_arena.blocks[0].input;
    embedding(embeddingInputs(*m_weights, m_sinusoids, m_inputs, m_config.embeddingScale), x);
    const Dropout dropout = dropoutAt(Site::Embedding);
    if (dropout.active())
        dropout.apply(x, x, firstToken());
}

AttentionInputs TrainingPass::attentionInputs(std::size_t layer)
{
    const MutableTensorView qkv = m_arena.blocks[layer].qkv;
    AttentionInputs inputs;
    inputs.queries = headsOf(qkv, 0, 3);
    inputs.keys = headsOf(qkv, 1, 3);
    inputs.values = headsOf(qkv, 2, 3);
    inputs.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(m_config.headDim())));
    inputs.mask.causal = true;
    const Dropout dropout = dropoutAt(Site::Attention, layer);
    if (dropout.active()) {
        const std::int64_t rowsPerSequence = m_config.heads * m_inputs.length;
        dropout.keepMask(m_arena.attentionKeep.data(), m_inputs.firstRow * rowsPerSequence,
                         m_inputs.rows * rowsPerSequence, m_inputs.length);
        inputs.keep = m_arena.attentionKeep.data();
        inputs.dropout = dropout.probability();
    }
    return inputs;
}

void TrainingPass::attend(std::size_t layer)
{
    // x: [n, d]; x' = x + Wo attention(q, k, v of Wqkv ln1(x))
    BlockActivations& a = m_arena.blocks[layer];
    const BlockWeights<const float>& w = m_weights->blocks[layer];
    layerNorm(a.input, w.norm1Gamma, w.norm1Beta, static_cast<float>(m_config.normEpsilon), a.norm1,
              {a.mean1, a.scale1});
    linear(a.norm1, w.qkvWeight, w.qkvBias, a.qkv);
    AttentionOutputs outputs;
    outputs.context = headsOf(a.context, 0, 1);
    outputs.logSumExp = a.logSumExp;
    m_backend->forward(attentionInputs(layer), outputs);
    const MutableTensorView result = m_config.dFf > 0 ? a.middle : blockOutput(layer);
    addProjection({a.context, w.outputWeight, w.outputBias, a.input, result},
                  dropoutAt(Site::AttentionOutput, layer));
}

void TrainingPass::feedForward(std::size_t layer)
{
    // x: [n, d]; x' = x + W2 f(W1 ln2(x) + b1) + b2
    BlockActivations& a = m_arena.blocks[layer];
    const BlockWeights<const float>& w = m_weights->blocks[layer];
    layerNorm(a.middle, w.norm2Gamma, w.norm2Beta, static_cast<float>(m_config.normEpsilon),
              a.norm2, {a.mean2, a.scale2});
    linear(a.norm2, w.expandWeight, {}, a.hidden);
    activation(kindOf(m_config.activation), a.hidden, w.expandBias, m_arena.active, a.hidden);
    addProjection({m_arena.active, w.contractWeight, w.contractBias, a.middle, blockOutput(layer)},
                  dropoutAt(Site::FeedForwardOutput, layer));
}

void TrainingPass::addProjection(const Projection& p, const Dropout& dropout)
{
    if (!dropout.active()) {
        kernels().addBias(p.residual.data, p.bias.data, p.output.data, p.output.shape[0],
                          p.output.shape[1]);
        linearAdd(p.input, p.weight, {}, p.output);
        return;
    }
    linear(p.input, p.weight, p.bias, m_arena.dropped);
    std::copy_n(p.residual.data, p.residual.shape.elementCount(), p.output.data);
    dropout.add(m_arena.dropped, p.output, firstToken());
}

double TrainingPass::lossOfRows(const DecoderWeights<float>* gradients)
{
    // logits: [n, vocabulary] = ln_f(x) head^T, a stretch of rows at a time; d head = sum of d
    // logits^T ln_f(x)
    const std::int64_t n = m_arena.output.shape[0];
    layerNorm(m_arena.output, m_weights->finalGamma, m_weights->finalBeta,
              static_cast<float>(m_config.normEpsilon), m_arena.finalNorm,
              {m_arena.finalMean, m_arena.finalScale});
    double loss = 0.0;
    const std::int64_t stretch = m_arena.logits.shape[0];
    for (std::int64_t first = 0; first < n; first += stretch) {
        const std::int64_t count = std::min(stretch, n - first);
        const MutableTensorView logits = rowRange(m_arena.logits, 0, count);
        const TensorView x = rowRange(m_arena.finalNorm, first, count);
        linear(x, m_weights->head, {}, logits);
        const auto targets = m_inputs.targets.subspan(static_cast<std::size_t>(first),
                                                      static_cast<std::size_t>(count));
        loss += crossEntropy(logits, targets, {0.0F, m_inputs.lossScale},
                             gradients ? logits : MutableTensorView());
        if (gradients)
            linearBackward(x, m_weights->head, logits,
                           {rowRange(m_arena.dNorm, first, count), gradients->head, {}, first > 0});
    }
    if (gradients) {
        zero(gradients->finalGamma);
        zero(gradients->finalBeta);
        zero(m_arena.dResidual);
        layerNormBackward(m_arena.output, m_weights->finalGamma,
                          {m_arena.finalMean, m_arena.finalScale}, m_arena.dNorm,
                          {m_arena.dResidual, gradients->finalGamma, gradients->finalBeta});
    }
    return loss;
}

/// d of a sublayer's output: the gradient of the residual stream, masked as the forward was.
TensorView TrainingPass::upstream(const Dropout& dropout)
{
    if (!dropout.active())
        return m_arena.dResidual;
    dropout.apply(m_arena.dResidual, m_arena.dropped, firstToken());
    return m_arena.dropped;
}

void TrainingPass::backwardFeedForward(std::size_t layer, const BlockWeights<float>& gradients)
{
    // forward: x' = x + dropout(W2 f(W1 ln2(x) + b1) + b2); f(...) is recomputed from `hidden`
    BlockActivations& a = m_arena.blocks[layer];
    const BlockWeights<const float>& w = m_weights->blocks[layer];
    const TensorView dy = upstream(dropoutAt(Site::FeedForwardOutput, layer));
    linearBackward(m_arena.active, w.contractWeight, dy, {m_arena.dHidden, {}, {}, false});
    zero(gradients.expandBias);
    activationBackward(kindOf(m_config.activation), a.hidden, m_arena.dHidden, m_arena.active,
                       gradients.expandBias);
    linearBackward(m_arena.active, w.contractWeight, dy,
                   {{}, gradients.contractWeight, gradients.contractBias, false});
    linearBackward(a.norm2, w.expandWeight, m_arena.dHidden,
                   {m_arena.dNorm, gradients.expandWeight, {}, false});
    zero(gradients.norm2Gamma);
    zero(gradients.norm2Beta);
    layerNormBackward(a.middle, w.norm2Gamma, {a.mean2, a.scale2}, m_arena.dNorm,
                      {m_arena.dResidual, gradients.norm2Gamma, gradients.norm2Beta});
}

void TrainingPass::backwardAttention(std::size_t layer, const BlockWeights<float>& gradients)
{
    // forward: x' = x + dropout(Wo attention(q, k, v of Wqkv ln1(x)) + bo)
    BlockActivations& a = m_arena.blocks[layer];
    const BlockWeights<const float>& w = m_weights->blocks[layer];
    linearBackward(a.context, w.outputWeight, upstream(dropoutAt(Site::AttentionOutput, layer)),
                   {m_arena.dContext, gradients.outputWeight, gradients.outputBias, false});
    AttentionSaved saved;
    saved.context = headsOf(a.context, 0, 1);
    saved.logSumExp = a.logSumExp;
    saved.contextGradient = headsOf(m_arena.dContext, 0, 1);
    AttentionGradients attention;
    attention.queries = headsOf(m_arena.dQkv, 0, 3);
    attention.keys = headsOf(m_arena.dQkv, 1, 3);
    attention.values = headsOf(m_arena.dQkv, 2, 3);
    m_backend->backward(attentionInputs(layer), saved, attention);
    linearBackward(a.norm1, w.qkvWeight, m_arena.dQkv,
                   {m_arena.dNorm, gradients.qkvWeight, gradients.qkvBias, false});
    zero(gradients.norm1Gamma);
    zero(gradients.norm1Beta);
    layerNormBackward(a.input, w.norm1Gamma, {a.mean1, a.scale1}, m_arena.dNorm,
                      {m_arena.dResidual, gradients.norm1Gamma, gradients.norm1Beta});
}

void TrainingPass::backwardEmbedding(const DecoderWeights<float>& gradients)
{
    // forward: x = dropout(scale * tokens[id] + positions[position]); a tied head has written
    // `tokens`
    const TensorView dx = upstream(dropoutAt(Site::Embedding));
    if (!m_config.tieEmbeddings)
        zero(gradients.tokens);
    if (gradients.positions)
        zero(gradients.positions);
    embeddingBackward(embeddingInputs(*m_weights, m_sinusoids, m_inputs, m_config.embeddingScale),
                      dx, gradients.tokens, gradients.positions);
}

} // namespace headscope
