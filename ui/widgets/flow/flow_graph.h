#pragma once

#include "ui/widgets/heatmap/heatmap.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Residual stream of a token: level 0 is the input, level l + 1 is after layer l.
struct FlowNode
{
    int level = 0;
    int token = 0;

    friend bool operator==(const FlowNode&, const FlowNode&) = default;
};

/// Edge from a token before a layer to one after it.
struct FlowEdge
{
    int layer = 0;
    int to = 0;
    int from = 0;
    float fraction = 0.0F;

    bool joins(const FlowEdge& other) const
    {
        return layer == other.layer && to == other.to && from == other.from;
    }
};

/// Graph of tokens and layers, as values.
struct FlowGraphContent
{
    QStringList labels;                ///< Texts of the tokens.
    std::vector<HeatmapMatrix> layers; ///< Weights or differences of weights [to, from] per layer.
    int levels = 0;                    ///< Number of drawn levels, at least one more than layers.
    /// Fraction of the pinned node's flow through each node [level][token].
    std::vector<std::vector<float>> nodes;
    float threshold = 0.05F; ///< Minimum weight of a drawn edge.
    bool isSigned = false;
    bool stale = false;
    std::optional<FlowNode> cursor;
    std::optional<FlowNode> pinned;
    std::optional<FlowEdge> edge; ///< Selected edge.

    int tokens() const { return static_cast<int>(labels.size()); }

    bool contains(FlowNode node) const;
    float fractionOf(const FlowEdge& edge) const;
};

/// Numbers of drawn and hidden edges.
struct FlowCount
{
    long long drawn = 0;
    long long total = 0;        ///< Number of edges with a weight other than zero.
    double drawnFraction = 0.0; ///< Fraction of the sum over all edges that is drawn.
};

/// Maximum number of drawn edges between different tokens, for legibility and speed. Counts report
/// the hidden ones.
int mostCrossingEdges(int tokens);

/// Edges of at least the threshold; of edges between different tokens the strongest
/// mostCrossingEdges.
std::vector<FlowEdge> drawnEdges(const FlowGraphContent& content);
FlowCount countOf(const FlowGraphContent& content, const std::vector<FlowEdge>& drawn);

/// Drawn edges into a node, by descending weight.
std::vector<FlowEdge> edgesInto(const std::vector<FlowEdge>& drawn, FlowNode node);

QString levelName(int level); ///< Name of a level: "input", "layer 0".

/// Text such as "animal after layer 2", or "edge from animal to it in layer 2, weight 0.310".
QString describeNode(const FlowGraphContent& content, FlowNode node);
QString describeEdge(const FlowGraphContent& content, const FlowEdge& edge);

/// Text such as "from itself 0.640, from animal 0.310, and 3 weaker": the strongest eight drawn
/// edges into a node; empty at the input.
QString describeEdgesInto(const FlowGraphContent& content, const std::vector<FlowEdge>& drawn,
                          FlowNode node);

} // namespace headscope::ui
