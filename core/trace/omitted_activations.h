#pragma once

#include "core/tensor/tensor.h"
#include "core/trace/site.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope {

/// Computes the activations that the trace of a long text did not record. Immutable, so any thread
/// may use it.
class OmittedActivations
{
public:
    virtual ~OmittedActivations() = default;

    /// Requested but not recorded; sorted.
    virtual const std::vector<TraceKey>& keys() const = 0;

    /// Shape of one of keys(); empty for any other.
    virtual std::optional<Shape> shapeOf(TraceKey key) const = 0;

    /// Rows [first, first + count) of one of keys(): those of the forward pass, up to rounding.
    /// Throws ShapeError for other keys and rows.
    virtual Tensor rows(TraceKey key, std::int64_t first, std::int64_t count) const = 0;
};

using OmittedActivationsPtr = std::shared_ptr<const OmittedActivations>;

} // namespace headscope
