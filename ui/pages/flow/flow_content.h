#pragma once

#include "ui/pages/flow/flow_fractions.h"
#include "ui/widgets/charts/bars/bars.h"

#include <QString>

#include <vector>

namespace headscope::ui {

struct FlowContent
{
    FlowGraphContent graph;
    std::vector<std::vector<int>> tokens; ///< Tokens of each row.
    std::vector<FlowEdge> drawn;
    FlowCount count;
    QString problem;             ///< Why there is no graph, one sentence; empty otherwise.
    QString hidden;              ///< Names of hidden tokens: "the first token"; empty for none.
    bool isRenormalised = false; ///< Whether rows are renormalised for them.
    QString note;                ///< Description of the edge weights.
    int replacedHeads = 0;
    std::optional<double> sinkMass; ///< See FlowMixing.
};

FlowContent flowContent(const ViewSnapshot& view, const FlowOptions& options,
                        const FlowMixings& mixings);

/// Heads that carry an edge, strongest first; `residual` is the part that bypasses them.
struct FlowEdgeHeads
{
    std::vector<int> heads; ///< Head of each bar.
    std::vector<Bar> bars;  ///< Mean weight, or for contributions the length of the head's vector.
    double fraction = 0.0;
    double residual = 0.0; ///< Residual part of `share`, without a pin.
};

FlowEdgeHeads edgeHeads(const ViewSnapshot& view, const FlowOptions& options,
                        const FlowContent& content, const FlowMixings& mixings);

/// Sentence on the weight that attention sinks take; empty without sinks.
QString sinkText(const FlowContent& content);

/// Count text: "41 of 210 edges drawn, 82 % of the total weight".
QString countText(const FlowContent& content);

} // namespace headscope::ui
