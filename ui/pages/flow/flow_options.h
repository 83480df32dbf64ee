#pragma once

#include "core/analysis/flow/contributions.h"
#include "ui/widgets/flow/flow_graph.h"

#include <QJsonObject>

#include <optional>

namespace headscope::ui {

/// Definition of an edge's weight.
enum class FlowMode {
    Rollout,      ///< Half the mean attention of the heads, half the residual stream.
    Attention,    ///< Mean attention of the heads alone.
    Contribution, ///< Vectors that attention adds to the stream, see contributions.h.
    ValueNorm,    ///< As Rollout, with value-weighted norms in place of attention.
    /// As Rollout, with the positive part of gradient × attention (Chefer et al. 2021, "Generic
    /// Attention-model Explainability").
    Gradient,
    Integrated, ///< As Rollout, with the positive part of the integrated gradients of attention.
};

struct FlowOptions
{
    FlowMode mode = FlowMode::Rollout;
    ContributionMeasure measure = ContributionMeasure::Length;
    double threshold = 0.05;
    bool renormalise = false; ///< Remove weaker edges before following paths.
    std::optional<FlowNode> pinned;
    std::optional<FlowEdge> edge;

    static FlowOptions fromJson(const QJsonObject& json); ///< Ignores unknown keys.
    QJsonObject toJson() const;
};

} // namespace headscope::ui
