#include "core/analysis/weights/weight_map.h"

#include "core/base/stop.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

std::int64_t blockSize(std::int64_t count, std::int64_t most)
{
    return std::max<std::int64_t>((count + most - 1) / std::max<std::int64_t>(most, 1), 1);
}

int cellsOf(std::int64_t count, std::int64_t perCell)
{
    return static_cast<int>((count + perCell - 1) / perCell);
}

void takeLarger(float& cell, float weight)
{
    if (!(std::abs(weight) <= std::abs(cell))) // a weight that is no number is shown too
        cell = weight;
}

/// Rows of the matrix to read, and where their weights belong.
struct MapFrame
{
    WeightMap map;
    std::int64_t lastRow = 0;

    void take(std::int64_t row, std::int64_t column, float weight)
    {
        const std::int64_t cellRow = (row - map.firstRow) / map.rowsPerCell;
        takeLarger(map.cells[static_cast<std::size_t>(cellRow * map.columns +
                                                      column / map.columnsPerCell)],
                   weight);
    }
};

MapFrame frameOf(const WeightMatrix& matrix, const WeightMapRequest& request)
{
    MapFrame frame;
    WeightMap& map = frame.map;
    map.firstRow = std::clamp<std::int64_t>(request.firstRow, 0, matrix.rows - 1);
    const std::int64_t left = matrix.rows - map.firstRow;
    const std::int64_t rows = request.rowCount > 0 ? std::min(request.rowCount, left) : left;
    frame.lastRow = map.firstRow + rows;
    map.rowsPerCell = blockSize(rows, request.mostRows);
    map.columnsPerCell = blockSize(matrix.columns, request.mostColumns);
    map.rows = cellsOf(rows, map.rowsPerCell);
    map.columns = cellsOf(matrix.columns, map.columnsPerCell);
    map.cells.assign(static_cast<std::size_t>(map.rows) * map.columns, 0.0F);
    return frame;
}

} // namespace

WeightMap weightMap(const WeightReader& reader, const WeightMapRequest& request,
                    const std::stop_token& stop)
{
    const bool isTransposed = reader.matrix().isTransposed;
    MapFrame frame = frameOf(reader.matrix(), request);
    const std::int64_t first = isTransposed ? 0 : frame.map.firstRow;
    const std::int64_t last = isTransposed ? reader.storedRows() : frame.lastRow;
    std::vector<float> values(static_cast<std::size_t>(reader.storedColumns()));
    for (std::int64_t stored = first; stored < last; ++stored) {
        throwIfStopped(stop);
        reader.readStored(stored, values);
        if (isTransposed)
            for (std::int64_t row = frame.map.firstRow; row < frame.lastRow; ++row)
                frame.take(row, stored, values[static_cast<std::size_t>(row)]);
        else
            for (std::size_t column = 0; column < values.size(); ++column)
                frame.take(stored, static_cast<std::int64_t>(column), values[column]);
    }
    reader.requireUnchanged();
    for (const float cell : frame.map.cells)
        frame.map.largest = std::max(frame.map.largest, std::abs(cell));
    return std::move(frame.map);
}

} // namespace headscope
