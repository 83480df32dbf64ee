#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace headscope::ui {

struct HeatmapCell
{
    int row = 0;
    int column = 0;

    friend bool operator==(const HeatmapCell&, const HeatmapCell&) = default;
};

/// Matrix to draw. The aliasing pointer keeps its owner (a Trace) alive; nothing is copied.
struct HeatmapMatrix
{
    std::shared_ptr<const float> values; ///< Values, rows * columns, row-major.
    int rows = 0;
    int columns = 0;

    bool isEmpty() const { return values == nullptr || rows <= 0 || columns <= 0; }

    bool contains(HeatmapCell cell) const;
    float at(HeatmapCell cell) const;
    static HeatmapMatrix copyOf(std::vector<float> values, int rows, int columns);
};

/// Masked cells. Default: none.
struct HeatmapMask
{
    enum class Kind { None, Causal, Window, Cells };

    Kind kind = Kind::None;
    int window = 0; ///< Number of keys visible to a query, including itself.
    /// Cells, rows * columns; 0 is masked.
    std::shared_ptr<const std::vector<std::uint8_t>> allowed;

    static HeatmapMask causal() { return {Kind::Causal, 0, nullptr}; }

    bool hides(HeatmapCell cell, const HeatmapMatrix& matrix) const;

    /// Half-open range of columns visible to a row, ignoring `allowed`.
    std::pair<int, int> visibleColumns(int row, const HeatmapMatrix& matrix) const;
    friend bool operator==(const HeatmapMask&, const HeatmapMask&) = default;
};

} // namespace headscope::ui
