#pragma once

#include "core/tensor/block_format.h"
#include "core/tensor/tensor.h"

#include <memory>
#include <vector>

namespace headscope {

class MappedFile;

/// Location of one parameter's numbers: in a file that stays mapped, in its storage format. The
/// stored matrix is [rows, columns], row-major; the parameter is all of it or some of its rows, as
/// they are or transposed.
///
/// A parameter with one axis of n numbers is a stored matrix [1, n], or n rows of [., 1].
struct StoredParameter
{
    std::shared_ptr<const void> owner; ///< Keeps `bytes` alive.
    const MappedFile* file = nullptr;  ///< The owner, if that is a mapped file.
    std::span<const std::byte> bytes;  ///< The whole stored matrix, at any address; empty: zeros.
    BlockFormat format = BlockFormat::F32;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    bool transposed = false; ///< True when the parameter's rows are stored as columns: [in, out].

    /// Stored row (stored column where transposed) of each row of the parameter. Empty: all of
    /// them, in order.
    std::vector<std::int64_t> order;

    bool isAbsent() const { return bytes.empty(); } ///< True for a parameter of zeros.

    std::int64_t rowCount() const; ///< Rows of the parameter.

    std::int64_t columnCount() const { return transposed ? rows : columns; }
};

/// Throws ShapeError naming `name` when the bytes are not those of [rows, columns], when `order`
/// names a row that does not exist, or when the result does not have the shape `shape`.
void checkStored(const StoredParameter& stored, const std::string& name, const Shape& shape);

/// Unpacks row `row` of the parameter into `values` [columnCount()]. `stored` must have been
/// checked.
void unpackRow(const StoredParameter& stored, std::int64_t row, std::span<float> values);

/// Unpacks the whole parameter, of shape `shape`. `stored` must have been checked.
void unpackParameter(const StoredParameter& stored, MutableTensorView values);

/// Wraps computed floats as a parameter that no file contains.
StoredParameter storedFloats(Tensor values);

/// Row order of part `part` among `parts` matrices of `rows` rows each that are stored as one: part
/// after part, or, with several groups, [part 0 | part 1 | ...] of group after group (of head after
/// head, where transformers joins q, k and v).
std::vector<std::int64_t> rowsOfPart(std::int64_t rows, int part, int parts,
                                     std::int64_t groups = 1);

} // namespace headscope
