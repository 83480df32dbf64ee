#pragma once

#include "core/attention/attention_backend.h"
#include "core/trace/site.h"

namespace headscope {

/// Observes activations during a Model's forward pass. Called on the computing thread, in execution
/// order.
class ActivationObserver
{
public:
    virtual ~ActivationObserver() = default;

    /// Queried first, so that an unwanted activation is neither computed, copied nor downloaded.
    virtual bool wants(TraceKey key) const = 0;

    /// Receives the rows of the positions [firstRow, n) only: earlier ones were reused from a
    /// cache. The view is valid only during the call.
    virtual void record(TraceKey key, TensorView activation, std::int64_t firstRow) = 0;

    /// Queried for a wanted pattern that no intervention edits: true to receive its operands
    /// instead, where rows can be recomputed (RetainedAttention::canKeep).
    virtual bool keepsOperands(TraceKey) const { return false; }

    /// Like record(): `inputs` holds the queries from `firstRow` on.
    virtual void recordOperands(TraceKey, const AttentionInputs& /*inputs*/,
                                std::int64_t /*firstRow*/)
    {
    }
};

} // namespace headscope
