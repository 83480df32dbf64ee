#include "core/lessons/labs/models/model_diagram.h"

#include "core/base/content_language.h"
#include "core/model/positions/position_encodings.h"

#include <fmt/format.h>

#include <utility>

namespace headscope {

namespace {

/// Stacks boxes, each with an arrow from its input.
class Column
{
public:
    Column(LabDiagram& diagram, int column) : m_diagram(diagram), m_column(column) {}

    /// Adds a box above the last one; returns its index.
    int add(std::string label, std::string words)
    {
        const int place = addAt(m_column, m_level++, std::move(label), std::move(words));
        if (m_last >= 0)
            m_diagram.arrows.emplace_back(m_last, place);
        m_last = place;
        return place;
    }

    int addAt(int column, int level, std::string label, std::string words)
    {
        m_diagram.boxes.push_back({std::move(label), std::move(words), column, level});
        return static_cast<int>(m_diagram.boxes.size()) - 1;
    }

    void arrow(int from, int to) { m_diagram.arrows.emplace_back(from, to); }

    int level() const { return m_level; }

    int last() const { return m_last; }

    /// Continues above boxes placed side by side.
    void goOn(int level, int last)
    {
        m_level = level;
        m_last = last;
    }

private:
    LabDiagram& m_diagram;
    int m_column;
    int m_level = 0;
    int m_last = -1;
};

class Shapes
{
public:
    Shapes(const ModelConfig& config, const SiteExtents& extents)
        : m_config(config)
        , m_extents(extents)
    {
    }

    bool has(TraceKey key) const { return siteShape(m_config, key, m_extents).has_value(); }

    std::string of(TraceKey key) const
    {
        const auto shape = siteShape(m_config, key, m_extents);
        return shape ? shape->toString() : std::string();
    }

    const ModelConfig& config() const { return m_config; }

    const SiteExtents& extents() const { return m_extents; }

private:
    const ModelConfig& m_config;
    const SiteExtents& m_extents;
};

std::string attentionName(const ModelConfig& config, Stack stack)
{
    const bool seesAll =
        stack == Stack::Encoder || config.architecture == Architecture::Encoder || !config.causal;
    return message(seesAll ? "self-attention" : "masked self-attention");
}

/// Returns the index of cross-attention, or -1.
int addStack(Column& column, const Shapes& shapes, Stack stack)
{
    const ModelConfig& config = shapes.config();
    const bool source = stack == Stack::Encoder;
    const std::int64_t tokens = source ? shapes.extents().sourceTokens : shapes.extents().tokens;
    const Stack outside = source ? Stack::Encoder : Stack::Blocks;
    column.add(source                    ? "source tokens"
               : stack == Stack::Decoder ? "target tokens"
                                         : "tokens",
               fmt::format("[{}]", tokens));
    column.add("embeddings", fmt::format("{}, {}", shapes.of({Site::Embed, 0, outside}),
                                         message(encodingOf(config).traits().words)));
    const std::int64_t layers = layerCount(config, stack);
    if (layers > 0)
        column.add(fmt::format("{} × {}", layers, attentionName(config, stack)),
                   fmt::format("weights {}", shapes.of({Site::Pattern, 0, stack})));
    int cross = -1;
    if (stack == Stack::Decoder && layers > 0)
        cross = column.add(fmt::format("{} × cross-attention", layers),
                           fmt::format("weights {}", shapes.of({Site::CrossPattern, 0, stack})));
    if (config.dFf > 0 && layers > 0)
        column.add(fmt::format("{} × {}", layers,
                               message(config.experts.count > 0 ? "experts" : "feed-forward")),
                   shapes.of({Site::MlpOut, 0, stack}));
    return cross;
}

void addOutputs(Column& column, const Shapes& shapes)
{
    if (shapes.has({Site::LnFinal}))
        column.add("final norm", shapes.of({Site::LnFinal}));
    const int stream = column.last();
    const int level = column.level();
    if (shapes.config().languageHead)
        column.add(shapes.config().architecture == Architecture::Encoder ? "masked words"
                                                                         : "next token",
                   shapes.of({Site::Logits}));
    if (shapes.config().nextSentence) {
        column.goOn(level, stream);
        const int pair = column.addAt(1, level, "next sentence?", shapes.of({Site::NextSentence}));
        column.arrow(stream, pair);
        column.goOn(level + 1, pair);
    }
}

/// Queries, keys and values side by side, then weights and the weighted sum of values.
void addAttention(Column& column, LabDiagram& diagram, const Shapes& shapes, TraceKey place,
                  bool cross)
{
    const auto key = [&](Site site) { return TraceKey{site, place.layer, place.stack}; };
    const int from = column.last();
    const int level = column.level();
    const int queries =
        column.addAt(0, level, "queries", shapes.of(key(cross ? Site::CrossQuery : Site::Query)));
    const int keys =
        column.addAt(1, level, "keys", shapes.of(key(cross ? Site::CrossKey : Site::Key)));
    const int values =
        column.addAt(2, level, "values", shapes.of(key(cross ? Site::CrossValue : Site::Value)));
    diagram.arrows.emplace_back(from, queries);
    if (!cross) {
        diagram.arrows.emplace_back(from, keys);
        diagram.arrows.emplace_back(from, values);
    }
    column.goOn(level + 1, queries);
    const int weights =
        column.add("weights", shapes.of(key(cross ? Site::CrossPattern : Site::Pattern)));
    diagram.arrows.emplace_back(keys, weights);
    const int blend = column.add("blends", shapes.of(key(cross ? Site::CrossZ : Site::Z)));
    diagram.arrows.emplace_back(values, blend);
    column.add(cross ? "stream + cross-attention" : "stream + attention",
               shapes.of(key(cross ? Site::CrossOut : Site::AttnOut)));
}

} // namespace

LabDiagram modelDiagram(const ModelConfig& config, const SiteExtents& extents)
{
    const Shapes shapes(config, extents);
    LabDiagram diagram;
    if (!config.isEncoderDecoder()) {
        Column column(diagram, 0);
        addStack(column, shapes, Stack::Blocks);
        addOutputs(column, shapes);
        return diagram;
    }
    Column encoder(diagram, 0);
    addStack(encoder, shapes, Stack::Encoder);
    Column decoder(diagram, 1);
    const int cross = addStack(decoder, shapes, Stack::Decoder);
    addOutputs(decoder, shapes);
    if (cross >= 0)
        diagram.arrows.emplace_back(encoder.last(), cross);
    return diagram;
}

LabDiagram blockDiagram(const ModelConfig& config, Stack stack, int layer,
                        const SiteExtents& extents)
{
    const Shapes shapes(config, extents);
    const auto key = [&](Site site) { return TraceKey{site, layer, stack}; };
    LabDiagram diagram;
    Column column(diagram, 0);
    column.add("stream", shapes.of(key(Site::ResidPre)));
    addAttention(column, diagram, shapes, key(Site::Pattern), false);
    if (shapes.has(key(Site::CrossPattern)))
        addAttention(column, diagram, shapes, key(Site::CrossPattern), true);
    if (shapes.has(key(Site::RouterProbs)))
        column.add("router", shapes.of(key(Site::RouterProbs)));
    if (shapes.has(key(Site::MlpPre)))
        column.add("inner layer", shapes.of(key(Site::MlpPre)));
    if (shapes.has(key(Site::MlpOut)))
        column.add("stream + feed-forward", shapes.of(key(Site::ResidPost)));
    return diagram;
}

} // namespace headscope
