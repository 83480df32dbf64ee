#include "ui/widgets/flow/flow_graph.h"

#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headscope::ui {

namespace {

/// Keeps all edges from a token to itself, and the strongest `most` others in their order. Of equal
/// ones the earlier are kept.
void keepStrongestCrossing(std::vector<FlowEdge>& edges, int most)
{
    const auto crosses = [](const FlowEdge& edge) { return edge.to != edge.from; };
    std::vector<float> sizes;
    for (const FlowEdge& edge : edges) {
        if (crosses(edge))
            sizes.push_back(std::abs(edge.fraction));
    }
    if (std::ssize(sizes) <= most)
        return;
    const auto last = sizes.begin() + (most - 1);
    std::nth_element(sizes.begin(), last, sizes.end(), std::greater<>());
    const float least = *last;
    auto ties = std::count(sizes.begin(), last + 1, least); // edges equal to the weakest kept
    std::erase_if(edges, [&](const FlowEdge& edge) {
        const float size = std::abs(edge.fraction);
        return crosses(edge) && (size < least || (size == least && ties-- <= 0));
    });
}

} // namespace

bool FlowGraphContent::contains(FlowNode node) const
{
    return node.level >= 0 && node.level < levels && node.token >= 0 && node.token < tokens();
}

float FlowGraphContent::fractionOf(const FlowEdge& wanted) const
{
    const auto layer = static_cast<std::size_t>(wanted.layer);
    const HeatmapCell cell{wanted.to, wanted.from};
    return wanted.layer >= 0 && layer < layers.size() && layers[layer].contains(cell)
               ? layers[layer].at(cell)
               : 0.0F;
}

int mostCrossingEdges(int tokens)
{
    return std::max(1000, 8 * tokens); // only part of a long text is visible
}

std::vector<FlowEdge> drawnEdges(const FlowGraphContent& content)
{
    std::vector<FlowEdge> drawn;
    const float least = std::max(content.threshold, 1e-6F);
    for (std::size_t layer = 0; layer < content.layers.size(); ++layer) {
        const HeatmapMatrix& matrix = content.layers[layer];
        const float* value = matrix.values.get();
        for (int to = 0; to < matrix.rows; ++to)
            for (int from = 0; from < matrix.columns; ++from, ++value)
                if (std::abs(*value) >= least)
                    drawn.push_back({static_cast<int>(layer), to, from, *value});
    }
    keepStrongestCrossing(drawn, mostCrossingEdges(content.tokens()));
    return drawn;
}

FlowCount countOf(const FlowGraphContent& content, const std::vector<FlowEdge>& drawn)
{
    FlowCount count;
    count.drawn = static_cast<long long>(drawn.size());
    double whole = 0.0;
    for (const HeatmapMatrix& matrix : content.layers) {
        const float* const values = matrix.values.get();
        const auto cells =
            static_cast<std::size_t>(matrix.rows) * static_cast<std::size_t>(matrix.columns);
        for (std::size_t cell = 0; cell < cells; ++cell) {
            count.total += values[cell] != 0.0F ? 1 : 0;
            whole += std::abs(double{values[cell]});
        }
    }
    for (const FlowEdge& edge : drawn)
        count.drawnFraction += std::abs(double{edge.fraction});
    count.drawnFraction = whole > 0.0 ? count.drawnFraction / whole : 1.0;
    return count;
}

std::vector<FlowEdge> edgesInto(const std::vector<FlowEdge>& drawn, FlowNode node)
{
    std::vector<FlowEdge> edges;
    for (const FlowEdge& edge : drawn) {
        if (edge.layer + 1 == node.level && edge.to == node.token)
            edges.push_back(edge);
    }
    std::stable_sort(edges.begin(), edges.end(), [](const FlowEdge& a, const FlowEdge& b) {
        return std::abs(a.fraction) > std::abs(b.fraction);
    });
    return edges;
}

QString levelName(int level)
{
    return level == 0 ? tr("input") : tr("layer %1").arg(level - 1);
}

QString describeNode(const FlowGraphContent& content, FlowNode node)
{
    const QString label = content.labels.value(node.token);
    QString text =
        node.level == 0
            ? tr("“%1”, %2, input").arg(label).arg(node.token)
            : tr("“%1”, %2, after layer %3").arg(label).arg(node.token).arg(node.level - 1);
    const auto level = static_cast<std::size_t>(node.level);
    if (!content.isSigned && content.pinned && level < content.nodes.size())
        text +=
            tr("; contributes %1 of “%2” after %3")
                .arg(readoutNumber(
                    double{content.nodes[level][static_cast<std::size_t>(node.token)]}))
                .arg(content.labels.value(content.pinned->token), levelName(content.pinned->level));
    if (content.pinned == node)
        text += tr("; pinned");
    return text;
}

QString describeEdge(const FlowGraphContent& content, const FlowEdge& edge)
{
    const double fraction = double{content.fractionOf(edge)};
    const QString value = content.isSigned ? tr("difference %1").arg(signedNumber(fraction, 3))
                                           : tr("weight %1").arg(readoutNumber(fraction));
    if (edge.from == edge.to)
        return tr("“%1” to itself in layer %2: %3")
            .arg(content.labels.value(edge.to))
            .arg(edge.layer)
            .arg(value);
    return tr("“%1” into “%2” in layer %3: %4")
        .arg(content.labels.value(edge.from), content.labels.value(edge.to))
        .arg(edge.layer)
        .arg(value);
}

QString describeEdgesInto(const FlowGraphContent& content, const std::vector<FlowEdge>& drawn,
                          FlowNode node)
{
    constexpr std::size_t kNamed = 8;
    if (node.level == 0)
        return {};
    const std::vector<FlowEdge> edges = edgesInto(drawn, node);
    QStringList words;
    for (std::size_t index = 0; index < std::min(edges.size(), kNamed); ++index) {
        const FlowEdge& edge = edges[index];
        const double fraction = double{edge.fraction};
        const QString from = edge.from == edge.to
                                 ? tr("itself")
                                 : QStringLiteral("“%1”").arg(content.labels.value(edge.from));
        words << tr("from %1 %2")
                     .arg(from,
                          content.isSigned ? signedNumber(fraction, 3) : readoutNumber(fraction));
    }
    if (edges.size() > kNamed)
        words << tr("and %1 weaker").arg(edges.size() - kNamed);
    return words.empty() ? tr("no drawn edge leads to it") : words.join(QStringLiteral(", "));
}

} // namespace headscope::ui
