#pragma once

#include "core/model/weights/mapped_linear.h"
#include "core/tensor/tensor.h"

#include <functional>
#include <memory>
#include <vector>

namespace headscope {

/// A linear layer y = x W^T + b made ready for inference: weights in panels of columns that stream
/// through the cache once, or where a file stores them; run-time choice of the instruction set,
/// both cores when that pays. Immutable, so any thread may use it.
class PackedLinear
{
public:
    PackedLinear() = default;

    /// `weight` [out, in]; `bias` [out] or empty.
    PackedLinear(TensorView weight, TensorView bias);

    /// Weights that stay where they are: parts one under the other, as [q; k; v]. Those that are
    /// stored as [in, out] are unpacked into panels.
    PackedLinear(std::vector<StoredParameter> parts, TensorView bias);

    std::int64_t outFeatures() const { return m_out; }

    /// Called for columns [begin, end) of the result as soon as they are there, on the thread that
    /// computed them.
    using ColumnsReady = std::function<void(std::int64_t begin, std::int64_t end)>;

    /// `in` [rows, in] and `out` [rows, out] with contiguous last axes. A row has the same bits in
    /// whatever company it is computed.
    void apply(TensorView in, MutableTensorView out, const ColumnsReady& columnsReady = {}) const;

private:
    void pack(TensorView weight);
    void applyPanels(TensorView in, MutableTensorView out, const ColumnsReady& columnsReady,
                     std::size_t threads) const;
    void applyMapped(TensorView in, MutableTensorView out, const ColumnsReady& columnsReady,
                     std::size_t threads) const;

    std::int64_t m_out = 0;
    std::int64_t m_in = 0;
    Tensor m_panels; ///< [panels, in, kPanelColumns]
    Tensor m_bias;   ///< [panels * kPanelColumns], zeros beyond the last column
    std::shared_ptr<const MappedLinear> m_mapped; ///< instead of m_panels
};

/// How many threads work of that many multiply-adds over that many weights is worth.
std::size_t usefulThreads(std::int64_t multiplyAdds, std::int64_t weights);

} // namespace headscope
