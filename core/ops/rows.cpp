#include "core/ops/rows.h"

#include "core/base/error.h"

#include <fmt/format.h>

namespace headscope {

namespace {

void requireContiguous(TensorView view, std::string_view operatorName, std::string_view operand)
{
    if (view.shape.rank() == 0 || !view.isContiguous())
        throw ShapeError(fmt::format("{}: {} {} is not a contiguous array", operatorName, operand,
                                     view.shape.toString()));
}

[[noreturn]] void refuse(TensorView view, const std::string& expected,
                         std::string_view operatorName, std::string_view operand)
{
    throw ShapeError(fmt::format("{}: {} is {}, but {} was expected", operatorName, operand,
                                 view.shape.toString(), expected));
}

} // namespace

RowCount rowsOf(TensorView view, std::string_view operatorName, std::string_view operand)
{
    requireContiguous(view, operatorName, operand);
    const std::int64_t columns = view.shape.back();
    if (columns == 0)
        refuse(view, "a last axis of at least 1", operatorName, operand);
    return {view.shape.elementCount() / columns, columns};
}

void requireShape(TensorView view, const Shape& expected, std::string_view operatorName,
                  std::string_view operand)
{
    if (!(view.shape == expected))
        refuse(view, expected.toString(), operatorName, operand);
    requireContiguous(view, operatorName, operand);
}

void requireRows(TensorView view, RowCount expected, std::string_view operatorName,
                 std::string_view operand)
{
    const RowCount got = rowsOf(view, operatorName, operand);
    if (got.rows != expected.rows || got.columns != expected.columns)
        refuse(view, fmt::format("{} rows of {}", expected.rows, expected.columns), operatorName,
               operand);
}

} // namespace headscope
