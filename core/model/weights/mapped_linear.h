#pragma once

#include "core/model/weights/integer_linear_kernels.h"
#include "core/model/weights/stored_parameter.h"
#include "core/tensor/tensor.h"

#include <vector>

namespace headscope {

/// Product with a matrix that is read where it is stored. A few rows are multiplied with the codes
/// directly, more of them with panels that are unpacked while cached; F32 is used in place. The
/// result has the same bits whatever the storage format, and whether a row is computed alone or
/// with others. Immutable, so any thread may use it.
class MappedLinear
{
public:
    /// Takes stacked parts, [q; k; v]: their rows are the output's columns.
    explicit MappedLinear(std::vector<StoredParameter> parts);

    /// False for parts that have to be unpacked first: transposed and absent ones.
    static bool canMultiply(const std::vector<StoredParameter>& parts);

    /// True when integer kernels multiply some of the parts.
    bool hasIntegerParts() const;

    /// Computes columns [begin, end) of out [rows, out] = in [rows, in] W^T + bias [out] (or
    /// empty), on the calling thread. Shapes must have been checked. Parts that integer kernels
    /// multiply use `rounded`, the rows of `in`, unless it is null.
    void apply(TensorView in, TensorView bias, MutableTensorView out, std::int64_t begin,
               std::int64_t end, const RoundedRows* rounded = nullptr) const;

private:
    void applyPart(std::size_t part, TensorView in, TensorView bias, MutableTensorView out,
                   std::int64_t begin, std::int64_t end) const;
    void applyRounded(std::size_t part, const RoundedRows& rounded, TensorView bias,
                      MutableTensorView out, std::int64_t begin, std::int64_t end) const;
    std::int64_t panelColumns(std::int64_t rows) const;

    std::vector<StoredParameter> m_parts;
    std::vector<std::int64_t> m_firstRows; ///< First row of each part, and m_out.
    std::int64_t m_out = 0;
    std::int64_t m_in = 0;
};

} // namespace headscope
