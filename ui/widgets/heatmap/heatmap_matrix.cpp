#include "ui/widgets/heatmap/heatmap_matrix.h"

#include "core/base/error.h"

#include <algorithm>
#include <string>

namespace headscope::ui {

bool HeatmapMatrix::contains(HeatmapCell cell) const
{
    return !isEmpty() && cell.row >= 0 && cell.row < rows && cell.column >= 0 &&
           cell.column < columns;
}

float HeatmapMatrix::at(HeatmapCell cell) const
{
    if (!contains(cell))
        throw ShapeError("HeatmapMatrix::at: cell [" + std::to_string(cell.row) + ", " +
                         std::to_string(cell.column) + "] is outside [" + std::to_string(rows) +
                         ", " + std::to_string(columns) + "]");
    return values.get()[static_cast<std::size_t>(cell.row) * columns + cell.column];
}

HeatmapMatrix HeatmapMatrix::copyOf(std::vector<float> values, int rows, int columns)
{
    if (rows < 0 || columns < 0 || values.size() != static_cast<std::size_t>(rows) * columns)
        throw ShapeError("HeatmapMatrix::copyOf: " + std::to_string(values.size()) +
                         " values do not make [" + std::to_string(rows) + ", " +
                         std::to_string(columns) + "]");
    auto owner = std::make_shared<const std::vector<float>>(std::move(values));
    return {std::shared_ptr<const float>(owner, owner->data()), rows, columns};
}

std::pair<int, int> HeatmapMask::visibleColumns(int row, const HeatmapMatrix& matrix) const
{
    if (kind != Kind::Causal && kind != Kind::Window)
        return {0, matrix.columns};
    const int last = std::clamp(row + 1 + matrix.columns - matrix.rows, 0, matrix.columns);
    return {kind == Kind::Window ? std::max(0, last - std::max(window, 0)) : 0, last};
}

bool HeatmapMask::hides(HeatmapCell cell, const HeatmapMatrix& matrix) const
{
    const auto [first, last] = visibleColumns(cell.row, matrix);
    if (cell.column < first || cell.column >= last)
        return true;
    const auto index = static_cast<std::size_t>(cell.row) * matrix.columns + cell.column;
    return kind == Kind::Cells && allowed && index < allowed->size() && (*allowed)[index] == 0;
}

} // namespace headscope::ui
