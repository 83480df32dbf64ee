#include "core/analysis/logit_lens.h"

#include "core/base/error.h"
#include "core/generate/sampling.h"
#include "core/ops/activations.h"
#include "core/ops/linear.h"
#include "core/ops/norm.h"

#include <algorithm>

namespace headscope {

namespace {

bool has(const Model& model, const std::string& name)
{
    const auto& specs = model.parameters().specs();
    return std::any_of(specs.begin(), specs.end(),
                       [&name](const ParameterSpec& spec) { return spec.name == name; });
}

TensorView viewOf(const Model& model, const std::string& name)
{
    return has(model, name) ? model.parameters().view(name) : TensorView();
}

void normalise(const Model& model, const std::string& name, MutableTensorView x)
{
    const ModelConfig& config = model.config();
    norm({config.norm, static_cast<float>(config.normEpsilon), viewOf(model, name + ".weight"),
          viewOf(model, name + ".bias")},
         x, x);
}

ActivationKind headActivation(const ModelConfig& config)
{
    switch (config.activation) {
    case Activation::Relu:
        return ActivationKind::Relu;
    case Activation::GeluTanh:
        return ActivationKind::GeluTanh;
    default: // gated ones have no gate in a head
        return ActivationKind::GeluExact;
    }
}

/// Dense, activation and norm before a BERT's language head.
void transform(const Model& model, Tensor& hidden)
{
    Tensor dense(hidden.shape());
    linear(hidden.view(), viewOf(model, "head.dense.weight"), viewOf(model, "head.dense.bias"),
           dense.view());
    activation(headActivation(model.config()), dense.view(), {}, dense.view());
    hidden = std::move(dense);
    normalise(model, "head.ln", hidden.view());
}

Stack predictingStack(const ModelConfig& config)
{
    return config.architecture == Architecture::EncoderDecoder ? Stack::Decoder : Stack::Blocks;
}

} // namespace

Tensor lensLogits(const Model& model, TensorView stream)
{
    const ModelConfig& config = model.config();
    if (!config.languageHead)
        throw Error("the model predicts no tokens", "logit lens", "Choose one with a head");
    Tensor hidden(stream.shape);
    std::copy_n(stream.data, stream.shape.elementCount(), hidden.data());
    if (config.hasFinalNorm())
        normalise(model, "ln_f", hidden.view());
    if (config.headTransform)
        transform(model, hidden);
    Tensor logits({stream.shape[0], config.vocabularySize});
    linear(hidden.view(), viewOf(model, config.tieEmbeddings ? "tok_emb.weight" : "head.weight"),
           {}, logits.view());
    const TensorView bias = viewOf(model, "head.bias");
    const auto scale = static_cast<float>(config.headScale);
    for (std::int64_t row = 0; row < logits.shape()[0]; ++row) {
        for (std::int64_t id = 0; id < config.vocabularySize; ++id) {
            float& logit = logits.view()(row, id);
            logit = scale * logit + (bias.data ? bias(id) : 0.0F);
        }
    }
    return logits;
}

LogitLens logitLens(const Model& model, const Trace& trace, const std::stop_token& stop)
{
    const Stack stack = predictingStack(model.config());
    LogitLens lens;
    lens.layers = trace.layerCount(stack);
    lens.tokens = static_cast<int>(trace.tokens().size());
    const auto cells =
        static_cast<std::size_t>(lens.layers) * static_cast<std::size_t>(lens.tokens);
    lens.ids.resize(cells);
    lens.probabilities.resize(cells);
    for (int layer = 0; layer < lens.layers; ++layer) {
        if (stop.stop_requested())
            throw Cancelled();
        const auto stream = trace.find({Site::ResidPost, layer, stack});
        if (!stream)
            return {};
        const Tensor logits = lensLogits(model, stream->view());
        for (int token = 0; token < lens.tokens; ++token) {
            const TensorView row = logits.view()[token];
            const auto width = static_cast<std::size_t>(row.shape[0]);
            const auto probabilities = samplingDistribution({row.data, width}, {});
            const auto best = std::max_element(probabilities.begin(), probabilities.end());
            lens.ids[lens.at(token, layer)] = static_cast<TokenId>(best - probabilities.begin());
            lens.probabilities[lens.at(token, layer)] = *best;
        }
    }
    return lens;
}

} // namespace headscope
