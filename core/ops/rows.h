#pragma once

#include "core/tensor/tensor.h"

#include <string_view>

namespace headscope {

/// An operand viewed as rows of its last axis. Everything before the last axis is one row index, so
/// operators work on [rows, columns] and callers keep their own axes.
struct RowCount
{
    std::int64_t rows = 0;
    std::int64_t columns = 0;
};

/// Throws ShapeError, naming the operator and the operand, unless `view` is contiguous and not
/// null.
RowCount rowsOf(TensorView view, std::string_view operatorName, std::string_view operand);

/// Throws ShapeError naming both shapes unless `view` is contiguous and has the expected extents.
void requireShape(TensorView view, const Shape& expected, std::string_view operatorName,
                  std::string_view operand);

/// Like requireShape, but accepts any leading axes whose product is `rows`.
void requireRows(TensorView view, RowCount expected, std::string_view operatorName,
                 std::string_view operand);

} // namespace headscope
