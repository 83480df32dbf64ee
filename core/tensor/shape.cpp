#include "core/tensor/shape.h"

#include "core/base/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace headscope {

Shape::Shape(std::initializer_list<std::int64_t> extents)
{
    for (const std::int64_t extent : extents)
        append(extent);
}

void Shape::append(std::int64_t extent)
{
    if (m_rank == kMaxRank)
        throw ShapeError(fmt::format("Shape: more than {} axes", kMaxRank));
    if (extent < 0)
        throw ShapeError(fmt::format("Shape: negative extent {}", extent));
    m_extents[static_cast<std::size_t>(m_rank++)] = extent;
}

Shape Shape::withRows(std::int64_t rows) const
{
    Shape shape = *this;
    shape.m_extents.front() = rows;
    return shape;
}

std::int64_t Shape::elementCount() const
{
    std::int64_t count = 1;
    for (int axis = 0; axis < m_rank; ++axis)
        count *= (*this)[axis];
    return count;
}

std::string Shape::toString() const
{
    return fmt::format("[{}]", fmt::join(m_extents.begin(), m_extents.begin() + m_rank, ", "));
}

} // namespace headscope
