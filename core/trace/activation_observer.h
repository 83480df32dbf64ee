#pragma once

#include "core/tensor/tensor.h"
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
};

} // namespace headscope
