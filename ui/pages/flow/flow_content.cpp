#include "ui/pages/flow/flow_content.h"

#include "core/analysis/flow/token_flow.h"
#include "core/analysis/heads/token_groups.h"
#include "ui/pages/shared/maps/hidden_tokens.h"
#include "ui/pages/shared/maps/shown_patterns.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <numeric>

namespace headscope::ui {

namespace {

/// The same view, on the stack's own attention.
ViewSnapshot atOwnAttention(ViewSnapshot view)
{
    if (view.selection.part == AttentionKind::Cross)
        view.selection.part = AttentionKind::DecoderSelf;
    return view;
}

HeatmapMatrix matrixOf(const Tensor& tensor)
{
    const auto values = tensor.values();
    return HeatmapMatrix::copyOf({values.begin(), values.end()},
                                 static_cast<int>(tensor.shape()[0]),
                                 static_cast<int>(tensor.shape()[1]));
}

const TokenSequence& keysOf(const ViewSnapshot& view)
{
    return view.trace()->keyTokens(view.selection.part);
}

/// Rows and columns as displayed; weak edges removed if requested.
std::vector<Tensor> shownLayers(const FlowMixing& mixing,
                                const std::vector<std::vector<int>>& tokens,
                                const ViewSnapshot& view, const FlowOptions& options)
{
    std::vector<Tensor> layers;
    for (const Tensor& layer : mixing.layers) {
        const bool plain = static_cast<std::int64_t>(tokens.size()) == layer.shape()[0];
        Tensor shown = plain ? layer
                             : groupedPattern(layer.view(), tokens, tokens, KeyMerge::Sum,
                                              renormalises(view.display, keysOf(view)));
        if (options.renormalise)
            shown = strongestContributions(shown.view(), static_cast<float>(options.threshold));
        layers.push_back(std::move(shown));
    }
    return layers;
}

/// Edges that reach the pinned node, or all edges.
std::vector<Tensor> followed(std::vector<Tensor> layers, const FlowOptions& options)
{
    return options.pinned ? pathsInto(layers, options.pinned->level, options.pinned->token)
                          : std::move(layers);
}

std::vector<Tensor> difference(const std::vector<Tensor>& a, std::vector<Tensor> b)
{
    for (std::size_t layer = 0; layer < b.size(); ++layer)
        for (std::size_t cell = 0; cell < b[layer].size(); ++cell)
            b[layer].data()[cell] -= a[layer].data()[cell];
    return b;
}

/// Weight that passes through each node on its way to the pinned one.
std::vector<std::vector<float>> nodeFractions(const std::vector<Tensor>& paths, FlowNode pinned,
                                              int levels, int tokens)
{
    std::vector<std::vector<float>> nodes(static_cast<std::size_t>(levels),
                                          std::vector<float>(static_cast<std::size_t>(tokens)));
    nodes[static_cast<std::size_t>(pinned.level)][static_cast<std::size_t>(pinned.token)] = 1.0F;
    for (std::size_t layer = 0; layer < paths.size(); ++layer)
        for (int to = 0; to < tokens; ++to)
            for (int from = 0; from < tokens; ++from)
                nodes[layer][static_cast<std::size_t>(from)] += paths[layer].view()(to, from);
    return nodes;
}

/// True with nothing grouped, hidden or followed: the weights can be shown without a copy.
bool isAsComputed(const FlowMixing& mixing, const std::vector<std::vector<int>>& tokens,
                  const FlowOptions& options)
{
    return !options.renormalise && !options.pinned &&
           static_cast<std::int64_t>(tokens.size()) == mixing.layers.front().shape()[0];
}

HeatmapMatrix partOf(const FlowMixingPtr& mixing, const Tensor& layer)
{
    return {std::shared_ptr<const float>(mixing, layer.data()), static_cast<int>(layer.shape()[0]),
            static_cast<int>(layer.shape()[1])};
}

/// Drawn graph, with the selected edge if it is present.
void addEdges(FlowContent& content, const FlowOptions& options)
{
    if (options.edge &&
        static_cast<std::size_t>(options.edge->layer) < content.graph.layers.size() &&
        content.graph.layers.front().contains({options.edge->to, options.edge->from})) {
        content.graph.edge = options.edge;
        content.graph.edge->fraction = content.graph.fractionOf(*options.edge);
    }
    content.drawn = drawnEdges(content.graph);
    content.count = countOf(content.graph, content.drawn);
}

QString difficulty(const ViewSnapshot& view, const FlowMixings& mixings)
{
    for (const FlowMixingPtr& mixing : {mixings.a, mixings.b}) {
        if (mixing && !mixing->problem.isEmpty())
            return mixing->problem;
    }
    if (view.shown == Variant::Difference && !view.isComparable())
        return tr("A and B have different numbers of tokens, layers or heads, so B−A is not "
                  "defined. View A or B alone.");
    return {};
}

} // namespace

FlowContent flowContent(const ViewSnapshot& given, const FlowOptions& wanted,
                        const FlowMixings& mixings)
{
    const ViewSnapshot view = atOwnAttention(given);
    FlowOptions options = wanted;
    FlowContent content;
    content.problem = difficulty(view, mixings);
    const FlowMixingPtr& mixing = view.shown == Variant::A ? mixings.a : mixings.b;
    if (!content.problem.isEmpty() || !mixing || mixing->layers.empty())
        return content;
    const Variant variant = view.shown == Variant::A ? Variant::A : Variant::B;
    const ShownPattern pattern = shownPattern(view, variant, {0, 0});
    FlowGraphContent& graph = content.graph;
    content.tokens = pattern.rowTokens;
    content.replacedHeads = mixing->replacedHeads;
    content.note = mixing->note;
    content.sinkMass = mixing->sinkMass;
    if (pattern.hidesTokens) {
        content.hidden = hiddenTokenText(view);
        content.isRenormalised = pattern.renormalised;
    }
    graph.labels = pattern.rowLabels;
    graph.levels = static_cast<int>(mixing->layers.size()) + 1;
    graph.threshold = static_cast<float>(options.threshold);
    graph.isSigned = view.shown == Variant::Difference;
    graph.stale = view.stale;
    if (options.pinned && !graph.contains(*options.pinned))
        options.pinned.reset();
    graph.pinned = options.pinned;
    if (content.tokens.empty())
        return content;
    if (isAsComputed(*mixing, content.tokens, options) && !graph.isSigned) {
        for (const Tensor& layer : mixing->layers)
            graph.layers.push_back(partOf(mixing, layer));
        addEdges(content, options);
        return content;
    }
    std::vector<Tensor> layers =
        followed(shownLayers(*mixing, content.tokens, view, options), options);
    if (graph.isSigned)
        layers =
            difference(followed(shownLayers(*mixings.a, content.tokens, view, options), options),
                       std::move(layers));
    else if (options.pinned)
        graph.nodes = nodeFractions(layers, *options.pinned, graph.levels, graph.tokens());
    for (const Tensor& layer : layers)
        graph.layers.push_back(matrixOf(layer));
    addEdges(content, options);
    return content;
}

namespace {

/// One head's part of an edge: its weight, or the length of the vector it adds, over all tokens
/// grouped in the two rows.
std::vector<double> headValues(const ViewSnapshot& view, Variant variant,
                               const FlowOptions& options, const FlowContent& content)
{
    const FlowEdge& edge = *content.graph.edge;
    const TracePtr& trace = view.trace(variant);
    std::vector<double> values;
    if (options.mode != FlowMode::Contribution) {
        std::vector<GridCell> heads;
        for (int head = 0; head < trace->headCount(view.selection.part); ++head)
            heads.push_back({edge.layer, head});
        for (const ShownPattern& pattern : shownPatterns(view, variant, heads)) {
            values.push_back(double{pattern.matrix.at({edge.to, edge.from})});
        }
        return values;
    }
    // The drawn content belongs to a model that has just been closed.
    if (!view.model(variant).model)
        return values;
    const auto& to = content.tokens[static_cast<std::size_t>(edge.to)];
    for (const int query : to)
        for (const int key : content.tokens[static_cast<std::size_t>(edge.from)]) {
            const std::vector<float> heads =
                headParts(*trace, *view.model(variant).model, {flowStack(view), edge.layer, false},
                          query, key);
            values.resize(heads.size());
            for (std::size_t head = 0; head < heads.size(); ++head)
                values[head] += double{heads[head]} / static_cast<double>(to.size());
        }
    return values;
}

double residualOf(const FlowMixing& mixing, const FlowEdge& edge, const std::vector<int>& tokens)
{
    if (edge.to != edge.from)
        return 0.0;
    double sum = 0.0;
    for (const int token : tokens)
        sum += double{mixing.residual[static_cast<std::size_t>(edge.layer)].view()(token)};
    return sum / static_cast<double>(tokens.size());
}

} // namespace

FlowEdgeHeads edgeHeads(const ViewSnapshot& given, const FlowOptions& options,
                        const FlowContent& content, const FlowMixings& mixings)
{
    FlowEdgeHeads result;
    if (!content.graph.edge)
        return result;
    const ViewSnapshot view = atOwnAttention(given);
    const FlowEdge& edge = *content.graph.edge;
    const Variant variant = view.shown == Variant::A ? Variant::A : Variant::B;
    const std::vector<double> values = headValues(view, variant, options, content);
    std::vector<double> before;
    if (view.shown == Variant::Difference)
        before = headValues(view, Variant::A, options, content);
    result.heads.resize(values.size());
    std::iota(result.heads.begin(), result.heads.end(), 0);
    const auto size = [&](int head) {
        const auto index = static_cast<std::size_t>(head);
        return before.empty() ? values[index] : std::max(values[index], before[index]);
    };
    std::stable_sort(result.heads.begin(), result.heads.end(),
                     [&size](int a, int b) { return size(a) > size(b); });
    for (const int head : result.heads) {
        Bar bar;
        bar.label = QStringLiteral("%1.%2").arg(edge.layer).arg(head);
        bar.value = values[static_cast<std::size_t>(head)];
        if (!before.empty())
            bar.before = before[static_cast<std::size_t>(head)];
        bar.role = Role::Key;
        bar.subject = result.bars.empty();
        result.bars.push_back(bar);
    }
    result.fraction = double{edge.fraction};
    const FlowMixingPtr& mixing = variant == Variant::A ? mixings.a : mixings.b;
    result.residual = residualOf(*mixing, edge, content.tokens[static_cast<std::size_t>(edge.to)]);
    return result;
}

QString sinkText(const FlowContent& content)
{
    if (!content.sinkMass)
        return {};
    return content.graph.isSigned
               ? tr("Weights are renormalised without attention sinks.")
               : tr("Weights are renormalised without attention sinks, which take %1 % of the "
                    "attention.")
                     .arg(number(100.0 * *content.sinkMass, 0));
}

QString countText(const FlowContent& content)
{
    const QString words = tr("%1 of %2 edges drawn, %3 % of the total weight")
                              .arg(count(content.count.drawn), count(content.count.total),
                                   number(100.0 * content.count.drawnFraction, 0));
    const long long weaker = content.count.total - content.count.drawn;
    const QString all =
        weaker > 0 ? tr("%1; %2 weaker ones hidden").arg(words, count(weaker)) : words;
    const QString shown = content.hidden.isEmpty() ? all
                          : content.isRenormalised
                              ? tr("%1; without %2, renormalised").arg(all, content.hidden)
                              : tr("%1; without %2").arg(all, content.hidden);
    return content.note.isEmpty() ? shown : tr("%1; %2").arg(content.note, shown);
}

} // namespace headscope::ui
