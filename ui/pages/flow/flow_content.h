#pragma once

#include "core/analysis/flow/contributions.h"
#include "ui/pages/shared/maps/attributed_maps.h"
#include "ui/pages/shared/figures/figure.h"
#include "ui/widgets/charts/bars.h"
#include "ui/widgets/flow/flow_graph.h"

namespace headscope::ui {

/// What an edge's share is made of.
enum class FlowMode {
    Rollout,      ///< half the mean attention of the heads, half the residual stream
    Attention,    ///< the mean attention of the heads alone
    Contribution, ///< what the attention's vectors add to the stream, see contributions.h
    ValueNorm,    ///< as Rollout with value-weighted norms in place of attention
    Gradient,     ///< as Rollout with the positive part of gradient times attention (Chefer et al.
                  ///< 2021, "Generic Attention-model Explainability")
    Integrated,   ///< as Rollout with the positive part of the integrated gradients of attention
};

struct FlowOptions
{
    FlowMode mode = FlowMode::Rollout;
    ContributionMeasure measure = ContributionMeasure::Length;
    double threshold = 0.05;
    bool renormalise = false; ///< leave weaker edges out before paths are followed
    std::optional<FlowNode> pinned;
    std::optional<FlowEdge> edge;

    static FlowOptions fromJson(const QJsonObject& json); ///< unknown keys are ignored
    QJsonObject toJson() const;
};

/// Shares of one run, layer by layer, token by token. Rows add up to 1.
struct FlowMixing
{
    std::vector<Tensor> layers;   ///< [n, n], the residual on the diagonal included
    std::vector<Tensor> residual; ///< [n]: the residual's part of the diagonal
    int replacedHeads = 0;        ///< whose output comes from no token
    QString problem;              ///< why there are no layers: one sentence
    QString note;                 ///< what the shares are about; may be empty
};

using FlowMixingPtr = std::shared_ptr<const FlowMixing>;

/// The stack that the flow follows: that of the selection, the decoder for cross-attention.
Stack flowStack(const Looking& looking);

/// Of run A or B. Throws Cancelled alone.
FlowMixingPtr flowMixing(const Looking& looking, Run run, const FlowOptions& options,
                         const std::stop_token& stop = {},
                         const std::function<void(double)>& progress = {});

/// Multiplications of flowMixing, roughly: what is worth a thread of its own.
double flowCost(const Looking& looking, const FlowOptions& options);

/// Both runs' shares; b is null where it is not shown.
struct FlowMixings
{
    FlowMixingPtr a;
    FlowMixingPtr b;
};

FlowMixings flowMixings(const Looking& looking, const FlowOptions& options,
                        const std::stop_token& stop = {},
                        const std::function<void(double)>& progress = {});

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

Figure flowFigure(const Looking& looking, const FlowOptions& options, const FlowMixings& mixings);
Figure flowFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
