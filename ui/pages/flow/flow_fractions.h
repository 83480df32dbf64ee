#pragma once

#include "ui/pages/flow/flow_options.h"
#include "ui/session/view_snapshot.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace headscope::ui {

/// Edge weights of one variant, layer by layer, token by token. Rows sum to 1.
struct FlowMixing
{
    std::vector<Tensor> layers;   ///< Weights per layer [n, n], with the residual on the diagonal.
    std::vector<Tensor> residual; ///< Residual part of the diagonal [n].
    int replacedHeads = 0; ///< Number of heads whose replaced output does not come from tokens.
    /// Mean weight on attention sinks, without which rows are renormalised; none without sinks.
    std::optional<double> sinkMass;
    QString problem; ///< Why there are no layers, one sentence; empty otherwise.
    QString note;    ///< Description of the weights; may be empty.
};

using FlowMixingPtr = std::shared_ptr<const FlowMixing>;

/// Stack that the flow follows: that of the selection, the decoder for cross-attention.
Stack flowStack(const ViewSnapshot& view);

/// Edge weights of variant A or B. Throws only Cancelled.
FlowMixingPtr flowMixing(const ViewSnapshot& view, Variant variant, const FlowOptions& options,
                         const std::stop_token& stop = {},
                         const std::function<void(double)>& progress = {});

/// Approximate multiplications of flowMixing: decides whether a separate thread is worthwhile.
double flowCost(const ViewSnapshot& view, const FlowOptions& options);

/// Edge weights of both variants; b is null where it is not shown.
struct FlowMixings
{
    FlowMixingPtr a;
    FlowMixingPtr b;
};

FlowMixings flowMixings(const ViewSnapshot& view, const FlowOptions& options,
                        const std::stop_token& stop = {},
                        const std::function<void(double)>& progress = {});

} // namespace headscope::ui
