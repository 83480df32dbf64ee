#pragma once

#include "ui/pages/flow/flow_options.h"
#include "ui/session/looking.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace headscope::ui {

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
FlowMixingPtr flowMixing(const Looking& looking, Variant variant, const FlowOptions& options,
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

} // namespace headscope::ui
