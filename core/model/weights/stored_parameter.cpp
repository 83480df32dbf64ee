#include "core/model/weights/stored_parameter.h"

#include "core/base/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace headscope {

namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& problem)
{
    throw ShapeError(fmt::format("the stored parameter \"{}\" {}", name, problem), "ParameterSet");
}

std::span<const std::byte> storedRow(const StoredParameter& stored, std::int64_t row)
{
    const std::size_t bytes = stored.bytes.size() / static_cast<std::size_t>(stored.rows);
    return stored.bytes.subspan(static_cast<std::size_t>(row) * bytes, bytes);
}

std::int64_t placeOf(const StoredParameter& stored, std::int64_t row)
{
    return stored.order.empty() ? row : stored.order[row];
}

/// Unpacks transposed storage: stored row k is column k of the parameter.
void unpackTurned(const StoredParameter& stored, std::int64_t firstRow, std::int64_t rowCount,
                  float* values)
{
    std::vector<float> row(stored.columns);
    for (std::int64_t k = 0; k < stored.rows; ++k) {
        unpack(stored.format, storedRow(stored, k), row);
        for (std::int64_t r = 0; r < rowCount; ++r)
            values[r * stored.rows + k] = row[placeOf(stored, firstRow + r)];
    }
}

} // namespace

std::int64_t StoredParameter::rowCount() const
{
    if (!order.empty())
        return std::ssize(order);
    return transposed ? columns : rows;
}

void checkStored(const StoredParameter& stored, const std::string& name, const Shape& shape)
{
    if (stored.isAbsent())
        return;
    const std::optional<std::int64_t> bytes = byteCount(stored.format, stored.rows, stored.columns);
    if (!bytes || static_cast<std::uint64_t>(*bytes) != stored.bytes.size())
        refuse(name, fmt::format("has {} bytes for [{}, {}] of {}", stored.bytes.size(),
                                 stored.rows, stored.columns, layoutOf(stored.format).name));
    const std::int64_t available = stored.transposed ? stored.columns : stored.rows;
    for (const std::int64_t row : stored.order)
        if (row < 0 || row >= available)
            refuse(name, fmt::format("has no row {} of {}", row, available));
    const std::int64_t rows = stored.rowCount();
    const std::int64_t columns = stored.columnCount();
    const bool fits = shape.rank() == 2
                          ? rows == shape[0] && columns == shape[1]
                          : (rows == 1 || columns == 1) && rows * columns == shape.elementCount();
    if (!fits)
        refuse(name,
               fmt::format("is [{}, {}], but {} was expected", rows, columns, shape.toString()));
}

void unpackRow(const StoredParameter& stored, std::int64_t row, std::span<float> values)
{
    if (stored.isAbsent())
        std::fill(values.begin(), values.end(), 0.0F);
    else if (stored.transposed)
        unpackTurned(stored, row, 1, values.data());
    else
        unpack(stored.format, storedRow(stored, placeOf(stored, row)), values);
}

void unpackParameter(const StoredParameter& stored, MutableTensorView values)
{
    if (stored.isAbsent()) {
        std::fill_n(values.data, values.shape.elementCount(), 0.0F);
        return;
    }
    if (stored.transposed)
        return unpackTurned(stored, 0, stored.rowCount(), values.data);
    const std::int64_t columns = stored.columnCount();
    for (std::int64_t row = 0; row < stored.rowCount(); ++row)
        unpackRow(stored, row, {values.data + row * columns, static_cast<std::size_t>(columns)});
}

StoredParameter storedFloats(Tensor values)
{
    StoredParameter stored;
    stored.rows = values.shape().rank() == 2 ? values.shape()[0] : 1;
    stored.columns = std::ssize(values) / std::max<std::int64_t>(stored.rows, 1);
    const auto owned = std::make_shared<const Tensor>(std::move(values));
    stored.bytes = std::as_bytes(owned->values());
    stored.owner = owned;
    return stored;
}

std::vector<std::int64_t> rowsOfPart(std::int64_t rows, int part, int parts, std::int64_t groups)
{
    std::vector<std::int64_t> order(rows);
    const std::int64_t groupRows = rows / groups;
    for (std::int64_t row = 0; row < rows; ++row)
        order[row] = (row / groupRows * parts + part) * groupRows + row % groupRows;
    return order;
}

} // namespace headscope
