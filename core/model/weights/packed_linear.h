#pragma once

#include "core/model/weights/mapped_linear.h"
#include "core/model/weights/products.h"
#include "core/model/weights/weight_precision.h"
#include "core/tensor/tensor.h"

#include <functional>
#include <memory>
#include <vector>

namespace headscope {

/// A linear layer y = x W^T + b prepared for inference: weights in panels of columns that stream
/// through the cache once, or where a file stores them; instruction set chosen at run time, several
/// cores when that pays off. Immutable, so any thread may use it; copies share the weights.
class PackedLinear
{
public:
    PackedLinear() = default;

    /// Takes `weight` [out, in], and `bias` [out] or empty, in panels of this precision. Throws
    /// Error for weights that are beyond it.
    PackedLinear(TensorView weight, TensorView bias,
                 WeightPrecision precision = WeightPrecision::Float32);

    /// Uses weights in place: stacked parts, as [q; k; v]. Those that are stored as [in, out], and
    /// floats where `precision` rounds them, are unpacked into panels, by prepare() or on first
    /// use; halves keep 16 bits there.
    PackedLinear(std::vector<StoredParameter> parts, TensorView bias,
                 WeightPrecision precision = WeightPrecision::Float32);

    /// Unpacks what the first use would have to unpack. Throws Error for weights beyond the
    /// precision, as the first use does.
    void prepare() const;

    /// True when weights are used where they are stored.
    bool isInPlace() const { return m_mapped != nullptr; }

    /// Called for columns [begin, end) of the result as soon as they are ready, on the thread that
    /// computed them.
    using ColumnsReady = std::function<void(std::int64_t begin, std::int64_t end)>;

    /// Applies the layer to `in` [rows, in] and `out` [rows, out] with contiguous last axes. A row
    /// has the same bits whichever rows it is computed with.
    void apply(TensorView in, MutableTensorView out, const ColumnsReady& columnsReady = {},
               Products products = Products::Exact) const;

private:
    struct Panels;

    const Tensor& panels() const;
    void applyPanels(TensorView in, MutableTensorView out, const ColumnsReady& columnsReady,
                     std::size_t threads) const;
    void applyMapped(TensorView in, MutableTensorView out, const ColumnsReady& columnsReady,
                     std::size_t threads, Products products) const;
    bool usesIntegers(std::int64_t rows, Products products) const;

    std::int64_t m_out = 0;
    std::int64_t m_in = 0;
    WeightPrecision m_precision = WeightPrecision::Float32; ///< Precision of the panels.
    std::shared_ptr<Panels> m_panels;
    Tensor m_bias; ///< Bias [panels * kPanelColumns], zeros beyond the last column.
    std::shared_ptr<const MappedLinear> m_mapped; ///< Used instead of m_panels.
};

/// Number of threads that pay off for this many multiply-adds over this many weights.
std::size_t usefulThreads(std::int64_t multiplyAdds, std::int64_t weights);

} // namespace headscope
