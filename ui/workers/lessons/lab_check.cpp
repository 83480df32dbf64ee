#include "ui/workers/lessons/lab_check.h"

#include "core/base/error.h"

#include <algorithm>

namespace headscope::ui {

namespace {

/// Limit on rows, columns and levels of a diagram made of boxes.
constexpr int kMostPlaces = 1000;

bool isSound(const LabChart& chart)
{
    return std::ranges::all_of(chart.series, [](const LabChart::Series& series) {
        return series.x.size() == series.y.size() && std::ranges::is_sorted(series.x);
    });
}

bool isSound(const LabBars&)
{
    return true;
}

bool isSound(const LabMatrix& matrix)
{
    const std::size_t cells = matrix.rowLabels.size() * matrix.columnLabels.size();
    return matrix.values.size() == cells &&
           (matrix.masked.empty() || matrix.masked.size() == cells);
}

bool isSound(const LabTable& table)
{
    return std::ranges::all_of(
        table.rows, [&table](const auto& row) { return row.size() <= table.columns.size(); });
}

bool isSound(const LabTokens&)
{
    return true;
}

bool isSound(const LabTree& tree)
{
    for (std::size_t index = 0; index < tree.nodes.size(); ++index)
        if (tree.nodes[index].parent >= static_cast<int>(index))
            return false;
    return true;
}

bool isInside(int value, int end)
{
    return value >= 0 && value < end;
}

bool isSound(const LabTiles& tiles)
{
    const auto fits = [&tiles](int row, int column) {
        return isInside(row, tiles.rows) && isInside(column, tiles.columns);
    };
    return tiles.rows <= kMostPlaces && tiles.columns <= kMostPlaces &&
           std::ranges::all_of(tiles.tiles,
                               [&](const LabTiles::Tile& tile) {
                                   return fits(tile.row, tile.column) && tile.worker >= 0;
                               }) &&
           std::ranges::all_of(tiles.skipped,
                               [&](const auto& cell) { return fits(cell.first, cell.second); });
}

bool isSound(const LabDiagram& diagram)
{
    const auto boxes = static_cast<int>(diagram.boxes.size());
    return std::ranges::all_of(diagram.boxes,
                               [](const LabDiagram::Box& box) {
                                   return isInside(box.column, kMostPlaces) &&
                                          isInside(box.level, kMostPlaces);
                               }) &&
           std::ranges::all_of(diagram.arrows, [boxes](const auto& arrow) {
               return isInside(arrow.first, boxes) && isInside(arrow.second, boxes);
           });
}

} // namespace

void requireDrawable(const LabResult& result)
{
    for (const LabPanel& panel : result.panels)
        if (!std::visit([](const auto& image) { return isSound(image); }, panel.plot))
            throw Error("the lab's figure is inconsistent", panel.title,
                        "Choose other settings, and report this lab");
}

} // namespace headscope::ui
