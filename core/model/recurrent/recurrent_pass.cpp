#include "core/model/recurrent/recurrent_pass.h"

#include "core/base/error.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/embedding.h"
#include "core/ops/linear.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace headscope {

namespace {

void resize(Tensor& tensor, const Shape& shape)
{
    if (tensor.shape() != shape)
        tensor = Tensor(shape);
}

/// [length, rows, hidden] as rows.
template<class View>
View flat(View view)
{
    return {view.data, {view.shape[0] * view.shape[1], view.shape[2]}};
}

} // namespace

RecurrentPass::RecurrentPass(const RecurrentConfig& config)
    : m_config(config)
    , m_inputs(static_cast<std::size_t>(config.layers) + 1)
{
    for (std::int64_t layer = 0; layer < config.layers; ++layer)
        m_layers.push_back(makeRecurrentLayer(config.kind));
}

TensorView RecurrentPass::forward(const RecurrentModel& model, const RecurrentText& text,
                                  RecurrentMemory& memory)
{
    if (text.ids.empty() || std::ssize(text.ids) % text.rows != 0)
        throw ShapeError(
            fmt::format("RecurrentPass: {} tokens in {} rows", text.ids.size(), text.rows));
    const auto weights = recurrentViews<TensorView>(model.layout(), model.values().data());
    const Shape shape{text.length(), text.rows, m_config.hidden};
    for (Tensor& input : m_inputs)
        resize(input, shape);
    resize(m_logits, {std::ssize(text.ids), m_config.vocabularySize});
    embedding({weights.embedding, text.ids, 1.0F, {}}, flat(m_inputs[0].view()));
    for (std::size_t layer = 0; layer < m_layers.size(); ++layer) {
        const TensorView output = m_layers[layer]->forward(
            weights.layers[layer], m_inputs[layer].view(), memory.layers.at(layer));
        std::copy_n(output.data, m_inputs[layer + 1].size(), m_inputs[layer + 1].data());
    }
    linear(flat(std::as_const(m_inputs.back()).view()), weights.head, weights.headBias,
           m_logits.view());
    return m_logits.view();
}

double RecurrentPass::loss(std::span<const TokenId> targets, float scale)
{
    CrossEntropySettings settings;
    settings.scale = scale;
    return crossEntropy(m_logits.view(), targets, settings, m_logits.view());
}

void RecurrentPass::backward(const RecurrentModel& model, const RecurrentText& text,
                             std::span<float> gradients, std::int64_t firstStep)
{
    std::ranges::fill(gradients, 0.0F);
    const auto weights = recurrentViews<TensorView>(model.layout(), model.values().data());
    const auto results = recurrentViews<MutableTensorView>(model.layout(), gradients.data());
    resize(m_dHidden, m_inputs[0].shape());
    resize(m_dInput, m_inputs[0].shape());
    linearBackward(flat(std::as_const(m_inputs.back()).view()), weights.head, m_logits.view(),
                   {flat(m_dHidden.view()), results.head, results.headBias, true});
    for (std::size_t layer = m_layers.size(); layer-- > 0;) {
        m_layers[layer]->backward(weights.layers[layer], m_inputs[layer].view(), m_dHidden.view(),
                                  results.layers[layer], m_dInput.view(), firstStep);
        std::swap(m_dHidden, m_dInput);
    }
    embeddingBackward({weights.embedding, text.ids, 1.0F, {}},
                      flat(std::as_const(m_dHidden).view()), results.embedding);
}

} // namespace headscope
