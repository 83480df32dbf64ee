#pragma once

#include "core/model/weights/stored_parameter.h"
#include "core/tensor/tensor.h"

#include <vector>

namespace headscope {

/// The product with a matrix that stays where it is stored. A few rows are multiplied with the
/// codes as they are, more of them with panels that are unpacked while they lie in the cache; F32
/// is used in place. Gives the same bits whatever format a number is stored in, and for a row alone
/// or in company. Immutable, so any thread may use it.
class MappedLinear
{
public:
    /// Parts one under the other, [q; k; v]: their rows are the output's columns.
    explicit MappedLinear(std::vector<StoredParameter> parts);

    /// False for parts that have to be unpacked first: turned ones and absent ones.
    static bool canMultiply(const std::vector<StoredParameter>& parts);

    std::int64_t outFeatures() const { return m_out; }

    /// Columns [begin, end) of out [rows, out] = in [rows, in] W^T + bias [out] (or empty), on the
    /// calling thread. Shapes have been checked.
    void apply(TensorView in, TensorView bias, MutableTensorView out, std::int64_t begin,
               std::int64_t end) const;

private:
    void applyPart(std::size_t part, TensorView in, TensorView bias, MutableTensorView out,
                   std::int64_t begin, std::int64_t end) const;
    std::int64_t panelColumns(std::int64_t rows) const;

    std::vector<StoredParameter> m_parts;
    std::vector<std::int64_t> m_firstRows; ///< of each part, and m_out
    std::int64_t m_out = 0;
    std::int64_t m_in = 0;
};

} // namespace headscope
