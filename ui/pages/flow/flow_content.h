#pragma once

#include "ui/pages/flow/flow_shares.h"
#include "ui/widgets/charts/bars/bars.h"

#include <QString>

#include <vector>

namespace headscope::ui {

struct FlowContent
{
    FlowGraphContent graph;
    std::vector<std::vector<int>> tokens; ///< of each row
    std::vector<FlowEdge> drawn;
    FlowCount count;
    QString problem; ///< why there is no graph: one sentence
    QString hidden;  ///< what is left out: "the first token"; empty for nothing
    QString note;    ///< what the shares are about
    int replacedHeads = 0;
};

FlowContent flowContent(const Looking& looking, const FlowOptions& options,
                        const FlowMixings& mixings);

/// The heads that carry an edge, strongest first; `residual` is what passes beside them.
struct FlowEdgeHeads
{
    std::vector<int> heads; ///< of each bar
    std::vector<Bar> bars;  ///< mean weight, or in contributions the length of the head's vector
    double share = 0.0;
    double residual = 0.0; ///< of `share`, without a pin
};

FlowEdgeHeads edgeHeads(const Looking& looking, const FlowOptions& options,
                        const FlowContent& content, const FlowMixings& mixings);

/// "41 of 210 edges drawn, 82 % of all shares".
QString countWords(const FlowContent& content);

} // namespace headscope::ui
