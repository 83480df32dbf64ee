#pragma once

#include "core/analysis/flow/contributions.h"
#include "ui/widgets/flow/flow_graph.h"

#include <QJsonObject>

#include <optional>

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

} // namespace headscope::ui
