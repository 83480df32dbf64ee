#include "core/analysis/flow/attention_sublayer.h"
#include "core/analysis/heads/head_circuits.h"
#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/stop.h"
#include "core/model/weights/model_norm.h"
#include "core/ops/matmul.h"

#include <algorithm>

#include <fmt/format.h>

namespace headscope {

namespace {

/// Number of rows summed in float at a time, the rest in double.
constexpr std::int64_t kVocabularyRows = 4096;

/// Gain [d] of a norm: gamma, with BatchNorm divided by the running deviation.
std::vector<float> gainOf(const Model& model, const std::string& norm)
{
    if (model.config().norm == NormKind::Batch) {
        const ChannelMap map = batchNormInUse(model.config(), model.parameters(), norm);
        return {map.factor.begin(), map.factor.end()};
    }
    const TensorView gamma = model.parameters().view(norm + ".weight");
    std::vector<float> gain(gamma.data, gamma.data + gamma.shape[0]);
    if (model.config().norm == NormKind::RmsUnitOffset)
        for (float& value : gain)
            value += 1.0F;
    return gain;
}

bool folds(const ModelConfig& config, NormGains gains)
{
    return gains == NormGains::Folded && config.normsInput();
}

/// True where attention reads a norm, which it does not in a layer that reads the stream itself.
bool readsNorm(const ModelConfig& config, const HeadId& place)
{
    return place.attention != AttentionKind::Self || config.normsAttentionInput(place.layer);
}

/// Multiplies each row by one number.
void scaleRows(Tensor& matrix, const std::vector<float>& gain)
{
    for (std::int64_t row = 0; row < matrix.shape()[0]; ++row)
        for (std::int64_t column = 0; column < matrix.shape()[1]; ++column)
            matrix.view()(row, column) *= gain[static_cast<std::size_t>(row)];
}

/// Transposed [d, count] of rows [first, first + count) of a stored [out, d].
Tensor turnedRows(TensorView weight, std::int64_t first, std::int64_t count)
{
    Tensor matrix({weight.shape[1], count});
    for (std::int64_t row = 0; row < count; ++row)
        for (std::int64_t channel = 0; channel < weight.shape[1]; ++channel)
            matrix.view()(channel, row) = weight(first + row, channel);
    return matrix;
}

/// Transposed [count, d] of columns [first, first + count) of a stored [d, in].
Tensor turnedColumns(TensorView weight, std::int64_t first, std::int64_t count)
{
    Tensor matrix({count, weight.shape[0]});
    for (std::int64_t channel = 0; channel < weight.shape[0]; ++channel)
        for (std::int64_t column = 0; column < count; ++column)
            matrix.view()(column, channel) = weight(channel, first + column);
    return matrix;
}

SublayerIndex sublayerOf(const HeadId& head)
{
    return {stackOf(head.attention), head.layer, head.attention == AttentionKind::Cross};
}

void requireHead(const ModelConfig& config, const HeadId& place)
{
    const bool twoStacks = config.isEncoderDecoder();
    const bool kindFits = twoStacks == (place.attention != AttentionKind::Self);
    const std::int64_t layers =
        stackOf(place.attention) == Stack::Decoder ? config.decoderLayerCount() : config.layers;
    if (!kindFits || place.layer < 0 || place.layer >= layers || place.head < 0 ||
        place.head >= config.heads)
        throw ShapeError(fmt::format("head {} of layer {} in a model of {} layers of {} heads",
                                     place.head, place.layer, layers, config.heads),
                         "head circuits");
}

/// Multiplies in the norms before a head: of its queries, and of its keys and values.
void foldNorms(const Model& model, const HeadId& place, HeadMatrices& head)
{
    const std::string block = attentionName(sublayerOf(place));
    const bool crosses = place.attention == AttentionKind::Cross;
    const std::string prefix = block.substr(0, block.rfind('.'));
    const std::vector<float> own = gainOf(model, prefix + (crosses ? ".ln_cross" : ".ln1"));
    const std::vector<float> read = crosses ? gainOf(model, "enc.ln_f") : own;
    scaleRows(head.query, own);
    scaleRows(head.key, read);
    scaleRows(head.value, read);
}

TensorView unembedding(const Model& model)
{
    return model.parameters().view(model.config().tieEmbeddings ? "tok_emb.weight" : "head.weight");
}

/// Adds U^T E of some rows of the vocabulary to rows [begin, end) of `sums` [d, d].
void addProduct(TensorView unembedded, TensorView embedded, std::int64_t first, std::int64_t count,
                std::size_t begin, std::size_t end, std::vector<double>& sums)
{
    const std::int64_t width = embedded.shape[1];
    Tensor part({static_cast<std::int64_t>(end - begin), width});
    matmul(Transpose::Yes, Transpose::No, part.shape()[0], width, count, 1.0F,
           &unembedded(first, static_cast<std::int64_t>(begin)), width, &embedded(first, 0), width,
           0.0F, part.data(), width);
    double* const into = &sums[begin * static_cast<std::size_t>(width)];
    std::transform(part.values().begin(), part.values().end(), into, into,
                   [](float value, double sum) { return sum + double{value}; });
}

} // namespace

std::string whyNoCircuits(const ModelConfig& config)
{
    if (config.isLatent())
        return "latent attention has a norm between the residual stream and its keys and values, "
               "so no single matrix represents them";
    if (config.queryKeyNorm != QueryKeyNorm::None)
        return "a norm follows the projection of queries and keys, so no single matrix represents "
               "their products";
    if (config.normsOutput())
        return "a norm follows the output of the heads, so no single matrix represents it";
    return {};
}

HeadMatrices headMatrices(const Model& model, HeadId place, NormGains gains)
{
    const ModelConfig& config = model.config();
    if (const std::string reason = whyNoCircuits(config); !reason.empty())
        throw Error("circuits are not defined: " + reason, "head circuits");
    requireHead(config, place);
    const std::string name = attentionName(sublayerOf(place));
    const std::int64_t width = config.queryDim();
    const std::int64_t values = config.valueDim();
    const std::int64_t group = place.head * config.keyHeadCount() / config.heads;
    const auto part = [&](const char* which, std::int64_t index, std::int64_t rows) {
        return turnedRows(model.parameters().view(name + which), index * rows, rows);
    };
    HeadMatrices head;
    head.query = part(".q.weight", place.head, width);
    head.key = part(".k.weight", group, width);
    head.value = part(".v.weight", group, values);
    head.output =
        turnedColumns(model.parameters().view(name + ".o.weight"), place.head * values, values);
    if (folds(config, gains) && readsNorm(config, place))
        foldNorms(model, place, head);
    return head;
}

std::string whyNoCopying(const ModelConfig& config)
{
    if (const std::string reason = whyNoCircuits(config); !reason.empty())
        return reason;
    if (!config.languageHead)
        return "the model has no language head";
    if (config.headTransform)
        return "a nonlinearity lies between the residual stream and the vocabulary";
    if (config.embeddingNorm)
        return "a norm lies between the embeddings and the residual stream";
    return {};
}

VocabularyCircuit vocabularyCircuit(const Model& model, NormGains gains,
                                    const std::stop_token& stop)
{
    const ModelConfig& config = model.config();
    if (const std::string reason = whyNoCopying(config); !reason.empty())
        throw Error("copying is not defined: " + reason, "head circuits");
    const TensorView embedded = model.parameters().view("tok_emb.weight");
    const TensorView unembedded = unembedding(model);
    const auto width = static_cast<std::size_t>(config.dModel);
    std::vector<double> sums(width * width);
    parallelFor(
        width, std::min(width, workerCount()),
        [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::int64_t first = 0; first < embedded.shape[0]; first += kVocabularyRows) {
                throwIfStopped(stop);
                addProduct(unembedded, embedded, first,
                           std::min(kVocabularyRows, embedded.shape[0] - first), begin, end, sums);
            }
        });
    VocabularyCircuit circuit{Tensor({config.dModel, config.dModel}), gains};
    std::transform(sums.begin(), sums.end(), circuit.product.data(),
                   [](double sum) { return static_cast<float>(sum); });
    if (folds(config, gains) && config.hasFinalNorm())
        scaleRows(circuit.product, gainOf(model, "ln_f"));
    return circuit;
}

} // namespace headscope
