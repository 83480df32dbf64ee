#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace headscope {

/// Extents of a row-major array, outermost first. At most five axes.
class Shape
{
public:
    static constexpr int kMaxRank = 5;

    Shape() = default;
    Shape(std::initializer_list<std::int64_t> extents);

    int rank() const { return m_rank; }

    std::int64_t operator[](int axis) const { return m_extents[static_cast<std::size_t>(axis)]; }

    const std::int64_t* begin() const { return m_extents.data(); }

    const std::int64_t* end() const { return m_extents.data() + m_rank; }

    std::int64_t back() const { return m_rank == 0 ? 1 : (*this)[m_rank - 1]; }

    void append(std::int64_t extent);        ///< Throws ShapeError beyond kMaxRank.
    Shape withRows(std::int64_t rows) const; ///< The same with another first extent.
    std::int64_t elementCount() const;       ///< Number of elements; 1 for rank 0.
    std::string toString() const;            ///< Text such as "[2, 3, 7]".

    friend bool operator==(const Shape&, const Shape&) = default;

private:
    int m_rank = 0;
    std::array<std::int64_t, kMaxRank> m_extents{};
};

} // namespace headscope
