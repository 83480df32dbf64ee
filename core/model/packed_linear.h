#pragma once

#include "core/tensor/tensor.h"

#include <functional>
#include <vector>

namespace headscope {

/// A linear layer y = x W^T + b made ready for inference: weights in panels of columns that stream
/// through the cache once, run-time choice of the instruction set, both cores when that pays.
/// Immutable, so any thread may use it.
class PackedLinear
{
public:
    PackedLinear() = default;

    /// `weight` [out, in]; `bias` [out] or empty.
    PackedLinear(TensorView weight, TensorView bias);

    std::int64_t outFeatures() const { return m_out; }

    /// Called for columns [begin, end) of the result as soon as they are there, on the thread that
    /// computed them.
    using ColumnsReady = std::function<void(std::int64_t begin, std::int64_t end)>;

    /// `in` [rows, in] and `out` [rows, out] with contiguous last axes. A row has the same bits in
    /// whatever company it is computed.
    void apply(TensorView in, MutableTensorView out, const ColumnsReady& columnsReady = {}) const;

private:
    std::int64_t m_out = 0;
    std::int64_t m_in = 0;
    Tensor m_panels; ///< [panels, in, kPanelColumns]
    Tensor m_bias;   ///< [panels * kPanelColumns]
};

/// How many threads work of that many multiply-adds over that many weights is worth.
std::size_t usefulThreads(std::int64_t multiplyAdds, std::int64_t weights);

} // namespace headscope
