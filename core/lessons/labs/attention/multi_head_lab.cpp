#include "core/analysis/flow/contributions.h"
#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/models/sentence_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr std::int64_t kLargestSide = 160; ///< Cells per side of the image of all heads.

/// Head selected by the controls, clamped to the model.
struct HeadPattern
{
    int layers = 0;
    int heads = 0;
    int layer = 0;
    int head = 0;
};

HeadPattern lookedAt(const LabSettings& settings, const SentenceTrace& sentence)
{
    HeadPattern at;
    at.layers = sentence.trace->layerCount(selfAttentionOf(sentence.stack));
    at.heads = sentence.trace->headCount(selfAttentionOf(sentence.stack));
    if (at.layers == 0 || at.heads == 0)
        throw Error("this model has no attention to show", sentence.trace->info().model,
                    "Open a model with at least one layer");
    at.layer = static_cast<int>(std::min<std::int64_t>(settings.integer("layer"), at.layers - 1));
    at.head = static_cast<int>(std::min<std::int64_t>(settings.integer("head"), at.heads - 1));
    return at;
}

/// Patterns of all heads, one row per layer, separated by empty lines.
class AllHeads
{
public:
    AllHeads(const SentenceTrace& sentence, const HeadPattern& at)
        : m_sentence(sentence)
        , m_at(at)
        , m_side(std::clamp<std::int64_t>(
              kLargestSide / std::max(at.layers, at.heads) - 1, 3,
              static_cast<std::int64_t>(std::max<std::size_t>(3, sentence.tokens().size()))))
    {
        m_side = std::min(m_side, static_cast<std::int64_t>(sentence.tokens().size()));
        m_matrix.decimals = -1;
    }

    LabMatrix plot()
    {
        for (int head = 0; head < m_at.heads; ++head)
            label(m_matrix.columnLabels, fmt::format("H{}", head), head + 1 == m_at.heads);
        for (int layer = 0; layer < m_at.layers; ++layer) {
            label(m_matrix.rowLabels, fmt::format("L{}", layer), layer + 1 == m_at.layers);
            addLayer(layer);
        }
        return m_matrix;
    }

    std::int64_t side() const { return m_side; }

private:
    void label(std::vector<std::string>& labels, const std::string& name, bool last) const
    {
        labels.push_back(name);
        labels.resize(labels.size() + static_cast<std::size_t>(m_side - (last ? 1 : 0)));
    }

    void addCell(double value, bool hidden)
    {
        m_matrix.values.push_back(value);
        m_matrix.masked.push_back(hidden);
    }

    void addLayer(int layer)
    {
        const auto pattern = m_sentence.trace->find({Site::Pattern, layer, m_sentence.stack});
        for (std::int64_t query = 0; query < m_side; ++query) {
            for (int head = 0; head < m_at.heads; ++head) {
                for (std::int64_t key = 0; key < m_side; ++key)
                    addCell(static_cast<double>(pattern->view()(head, query, key)),
                            m_sentence.causal && key > query);
                if (head + 1 < m_at.heads)
                    addCell(0.0, true);
            }
        }
        for (std::size_t i = 0; layer + 1 < m_at.layers && i < m_matrix.columnLabels.size(); ++i)
            addCell(0.0, true);
    }

    const SentenceTrace& m_sentence;
    HeadPattern m_at;
    std::int64_t m_side;
    LabMatrix m_matrix{"layer", "head"};
};

std::string shapeOf(const SentenceTrace& sentence, Site site, int layer)
{
    const auto tensor = sentence.trace->find({site, layer, sentence.stack});
    return tensor ? tensor->shape().toString() : std::string();
}

/// Diagram of split, attend, concatenate and project, with the shapes of this forward pass.
LabDiagram pathDiagram(const SentenceTrace& sentence, const HeadPattern& at)
{
    const auto z = sentence.trace->find({Site::Z, at.layer, sentence.stack});
    const Shape joined{z->shape()[0], z->shape()[1] * z->shape()[2]};
    LabDiagram diagram;
    const auto box = [&](const std::string& label, const std::string& words, int column,
                         int level) {
        diagram.boxes.push_back({message(label) + " " + words, {}, column, level});
    };
    const auto shape = [&](Site site) { return shapeOf(sentence, site, at.layer); };
    box("stream", shape(Site::ResidPre), 1, 0);
    box("queries", shape(Site::Query), 0, 1);
    box("keys", shape(Site::Key), 1, 1);
    box("values", shape(Site::Value), 2, 1);
    box(fmt::format("{} heads attend", at.heads), shape(Site::Pattern), 1, 2);
    box("blends", shape(Site::Z), 1, 3);
    box("concatenated", joined.toString(), 1, 4);
    box("times W_O", shape(Site::AttnOut), 1, 5);
    diagram.arrows = {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 5}, {4, 5}, {5, 6}, {6, 7}};
    return diagram;
}

/// Largest difference between the projected head outputs plus bias and the recorded output.
double outputDifference(const SentenceTrace& sentence, const Model& model, int layer)
{
    const auto query = static_cast<std::int64_t>(sentence.tokens().size()) - 1;
    const SublayerIndex place{sentence.stack, layer, false};
    const Tensor parts = tokenParts(*sentence.trace, model, place, query);
    const TensorView bias = outputBias(model, place);
    const auto output = sentence.trace->find({Site::AttnOut, layer, sentence.stack});
    const TensorView rows = parts.view();
    double largest = 0.0;
    for (std::int64_t d = 0; d < rows.shape[1]; ++d) {
        double sum = bias ? static_cast<double>(bias(d)) : 0.0;
        for (std::int64_t key = 0; key < rows.shape[0]; ++key)
            sum += static_cast<double>(rows(key, d));
        largest = std::max(largest, std::abs(sum - static_cast<double>(output->view()(query, d))));
    }
    return largest;
}

} // namespace

LabResult runMultiHead(const LabSettings& settings, const LabContext& context,
                       const std::stop_token& stop)
{
    const LoadedModel model = openLabModel(context);
    const SentenceTrace sentence =
        traceSentence(model, context.text, backendOf(context),
                      {{"*attn.hook_q", "*attn.hook_k", "*attn.hook_v", "*attn.hook_z",
                        "*attn.hook_pattern", "*hook_attn_out", "*hook_resid_pre"}},
                      stop);
    const HeadPattern at = lookedAt(settings, sentence);
    AllHeads all(sentence, at);
    const auto pattern = sentence.trace->find({Site::Pattern, at.layer, sentence.stack});
    const std::vector<std::string> labels = sentence.labels(model);
    const double difference = outputDifference(sentence, *model.model, at.layer);
    LabResult result;
    result.panels = {{"From the residual stream to the heads and back",
                      fmt::format("layer {}", at.layer), pathDiagram(sentence, at)},
                     {"Every head of every layer",
                      fmt::format("the first {} tokens, queries down, keys across", all.side()),
                      all.plot()},
                     {fmt::format("Layer {}, head {}", at.layer, at.head), "its attention pattern",
                      patternMatrix(pattern->view()[at.head], labels, labels, sentence.causal)}};
    const ModelConfig& config = model.model->config();
    result.numbers = {
        labNumber("layers", "Layers", std::int64_t{at.layers}),
        labNumber("heads", "Heads per layer", std::int64_t{at.heads}),
        labNumber("layer", "Layer", std::int64_t{at.layer}),
        labNumber("head", "Head", std::int64_t{at.head}),
        labNumber("all_heads", "Heads", std::int64_t{at.layers * at.heads}),
        labNumber("d_model", "Width of the residual stream", config.dModel),
        labNumber("d_k", "Head size", config.queryDim()),
        labNumber("tokens", "Tokens", static_cast<std::int64_t>(sentence.tokens().size())),
        labNumber("largest_difference", "Difference from the output", difference)};
    result.sentence = fmt::format(
        "{} layers of {} heads attend to {} tokens with {} patterns. The head outputs of layer {}, "
        "concatenated and projected by W_O, equal the layer's output to within {:.1g}.",
        at.layers, at.heads, sentence.tokens().size(), at.layers * at.heads, at.layer, difference);
    return result;
}

} // namespace headscope
