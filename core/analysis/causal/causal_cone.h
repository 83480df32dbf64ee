#pragma once

#include "core/model/config/model_config.h"
#include "core/trace/site.h"

namespace headscope {

/// One row of one site in the stack that predicts (for scores and patterns: a query's row).
struct CausalPoint
{
    Site site = Site::ResidPre;
    int layer = 0; ///< 0 for sites outside the blocks.
    std::int64_t position = 0;

    friend bool operator==(const CausalPoint&, const CausalPoint&) = default;
};

/// True when a change at `from` can reach `to` through the model's arithmetic: later in execution
/// order, and at another position only with attention in between, which in a causal model reads
/// only earlier positions and with a window only so many of them. Nothing for which this is false
/// may change under a patch (metrics.md 13). Cross-attention reads a source, which no change in
/// this stack reaches.
bool canReach(const ModelConfig& config, const CausalPoint& from, const CausalPoint& to);

} // namespace headscope
