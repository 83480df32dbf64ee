#pragma once

#include "ui/widgets/heatmap/heatmap.h"

#include <limits>

namespace headscope::ui {

/// Passes row, column and value of every cell that HeatmapContent::isHidden() does not hide, row by
/// row.
template<class Visit>
void visitVisibleCells(const HeatmapContent& map, Visit visit)
{
    constexpr float kHidden = -std::numeric_limits<float>::infinity();
    const HeatmapMatrix& matrix = map.matrix;
    const std::size_t cells = static_cast<std::size_t>(matrix.rows) * matrix.columns;
    const bool byCells = map.mask.kind == HeatmapMask::Kind::Cells && map.mask.allowed &&
                         map.mask.allowed->size() >= cells;
    for (int row = 0; row < matrix.rows && !matrix.isEmpty(); ++row) {
        const std::size_t begin = static_cast<std::size_t>(row) * matrix.columns;
        const float* values = matrix.values.get() + begin;
        const std::uint8_t* allowed = byCells ? map.mask.allowed->data() + begin : nullptr;
        const auto [first, last] = map.mask.visibleColumns(row, matrix);
        for (int column = first; column < last; ++column)
            if ((!allowed || allowed[column] != 0) && values[column] != kHidden)
                visit(row, column, values[column]);
    }
}

} // namespace headscope::ui
