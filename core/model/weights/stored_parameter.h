#pragma once

#include "core/tensor/block_format.h"
#include "core/tensor/tensor.h"

#include <memory>
#include <vector>

namespace headscope {

/// Where the numbers of one parameter lie: in a file that stays mapped, in the format in which it
/// holds them. The stored matrix is [rows, columns], row after row; the parameter is all of it or
/// some of its rows, as they are or turned.
///
/// A parameter with one axis of n numbers is a stored matrix [1, n], or n rows of [., 1].
struct StoredParameter
{
    std::shared_ptr<const void> owner; ///< keeps `bytes` where they are: a MappedFile
    std::span<const std::byte> bytes;  ///< the whole stored matrix, at any address; empty: zeros
    BlockFormat format = BlockFormat::F32;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    bool transposed = false; ///< the parameter's rows are stored as columns: [in, out]

    /// Which stored row (stored column where transposed) each row of the parameter is. Empty: all
    /// of them, in order.
    std::vector<std::int64_t> order;

    bool isAbsent() const { return bytes.empty(); } ///< stands for zeros

    std::int64_t rowCount() const; ///< of the parameter

    std::int64_t columnCount() const { return transposed ? rows : columns; }
};

/// Throws ShapeError naming `name` when the bytes are not those of [rows, columns], when `order`
/// names a row that is not there, or when what it describes is not of the shape `shape`.
void checkStored(const StoredParameter& stored, const std::string& name, const Shape& shape);

/// Row `row` of the parameter into `values` [columnCount()]. `stored` has been checked.
void unpackRow(const StoredParameter& stored, std::int64_t row, std::span<float> values);

/// The whole parameter, `shape` its own. `stored` has been checked.
void unpackParameter(const StoredParameter& stored, MutableTensorView values);

/// A parameter that no file holds as it is: floats that someone computed.
StoredParameter storedFloats(Tensor values);

/// `order` of part `part` among `parts` matrices of `rows` rows each that are stored as one: part
/// after part, or, with several groups, [part 0 | part 1 | ...] of group after group (of head after
/// head, where transformers joins q, k and v).
std::vector<std::int64_t> rowsOfPart(std::int64_t rows, int part, int parts,
                                     std::int64_t groups = 1);

} // namespace headscope
