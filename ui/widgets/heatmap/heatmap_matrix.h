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

/// A matrix to draw. The aliasing pointer keeps its owner (a Trace) alive; nothing is copied.
struct HeatmapMatrix
{
    std::shared_ptr<const float> values; ///< rows * columns, row-major
    int rows = 0;
    int columns = 0;

    bool isEmpty() const { return values == nullptr || rows <= 0 || columns <= 0; }

    bool contains(HeatmapCell cell) const;
    float at(HeatmapCell cell) const;
    static HeatmapMatrix copyOf(std::vector<float> values, int rows, int columns);
};

/// Cells that cannot be attended to. Default: none.
struct HeatmapMask
{
    enum class Kind { None, Causal, Window, Cells };

    Kind kind = Kind::None;
    int window = 0; ///< keys a query may see, itself included
    std::shared_ptr<const std::vector<std::uint8_t>> allowed; ///< Cells: rows * columns, 0 hides

    static HeatmapMask causal() { return {Kind::Causal, 0, nullptr}; }

    bool hides(HeatmapCell cell, const HeatmapMatrix& matrix) const;

    /// Half-open range of columns that row may see, without looking at `allowed`.
    std::pair<int, int> visibleColumns(int row, const HeatmapMatrix& matrix) const;
    friend bool operator==(const HeatmapMask&, const HeatmapMask&) = default;
};

} // namespace headscope::ui
