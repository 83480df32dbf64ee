#pragma once

#include "core/attention/attention_backend.h"
#include "core/trace/site.h"

namespace headscope {

/// Looks at activations while a Model runs. Called on the computing thread, in execution order.
class ActivationObserver
{
public:
    virtual ~ActivationObserver() = default;

    /// Asked first, so that an unwanted activation is neither computed, copied nor downloaded.
    virtual bool wants(TraceKey key) const = 0;

    /// `activation` holds the rows of the positions [firstRow, n) only: those before were reused
    /// from a cache. The view is valid only during the call.
    virtual void record(TraceKey key, TensorView activation, std::int64_t firstRow) = 0;

    /// Of a wanted pattern that no intervention edits: true to be given what it would be made from
    /// instead, where rows can be made again (KeptAttention::canKeep).
    virtual bool keepsOperands(TraceKey) const { return false; }

    /// As record(): `inputs` holds the queries from `firstRow` on.
    virtual void recordOperands(TraceKey, const AttentionInputs& /*inputs*/,
                                std::int64_t /*firstRow*/)
    {
    }
};

} // namespace headscope
