#pragma once

#include "ui/widgets/heatmap/heatmap.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace headscope::ui {

/// A token's stream: level 0 is the input, level l + 1 what is after layer l.
struct FlowNode
{
    int level = 0;
    int token = 0;

    friend bool operator==(const FlowNode&, const FlowNode&) = default;
};

/// From a token before a layer to one after it.
struct FlowEdge
{
    int layer = 0;
    int to = 0;
    int from = 0;
    float share = 0.0F;

    bool joins(const FlowEdge& other) const
    {
        return layer == other.layer && to == other.to && from == other.from;
    }
};

/// A graph of tokens and layers, as values.
struct FlowGraphContent
{
    QStringList labels;                    ///< of the tokens
    std::vector<HeatmapMatrix> layers;     ///< [to, from]: shares, or differences of shares
    int levels = 0;                        ///< at least one more than layers are drawn
    std::vector<std::vector<float>> nodes; ///< [level][token]: part of the pinned node's paths
    float threshold = 0.05F;               ///< edges of less are not drawn
    bool isSigned = false;
    bool stale = false;
    std::optional<FlowNode> cursor;
    std::optional<FlowNode> pinned;
    std::optional<FlowEdge> edge; ///< chosen

    int tokens() const { return static_cast<int>(labels.size()); }

    bool contains(FlowNode node) const;
    float shareOf(const FlowEdge& edge) const;
};

/// What is drawn and what is hidden.
struct FlowCount
{
    long long drawn = 0;
    long long total = 0;     ///< edges that carry anything
    double drawnShare = 0.0; ///< of the sum over all edges
};

/// So many edges from one token into another are drawn at most: more are neither read nor quickly
/// drawn. Countings say how many are hidden.
int mostCrossingEdges(int tokens);

/// Those of at least the threshold; of edges between different tokens the strongest
/// mostCrossingEdges.
std::vector<FlowEdge> drawnEdges(const FlowGraphContent& content);
FlowCount countOf(const FlowGraphContent& content, const std::vector<FlowEdge>& drawn);

/// Edges into a node that are drawn, by falling size.
std::vector<FlowEdge> edgesInto(const std::vector<FlowEdge>& drawn, FlowNode node);

QString levelName(int level); ///< "input", "layer 0"

/// "animal after layer 2", "edge from animal to it in layer 2, share 0.310".
QString describeNode(const FlowGraphContent& content, FlowNode node);
QString describeEdge(const FlowGraphContent& content, const FlowEdge& edge);

/// "from itself 0.640, from animal 0.310, and 3 weaker": the drawn edges into a node, the strongest
/// eight; empty at the input.
QString describeEdgesInto(const FlowGraphContent& content, const std::vector<FlowEdge>& drawn,
                          FlowNode node);

} // namespace headscope::ui
