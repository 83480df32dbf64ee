#pragma once

#include "core/analysis/weights/weight_reader.h"

namespace headscope {

/// Part of a matrix to draw, and how many cells there is room for.
struct WeightMapRequest
{
    std::int64_t firstRow = 0;
    std::int64_t rowCount = 0; ///< Rows to draw; 0: all from firstRow on.
    std::int64_t mostRows = 1024;
    std::int64_t mostColumns = 1024;
};

/// A matrix of at most mostRows x mostColumns cells. Each holds the weight of the largest magnitude
/// in its block of rowsPerCell x columnsPerCell weights, with its sign.
struct WeightMap
{
    std::vector<float> cells; ///< Cells [rows, columns].
    int rows = 0;
    int columns = 0;
    std::int64_t firstRow = 0;
    std::int64_t rowsPerCell = 1;
    std::int64_t columnsPerCell = 1;
    float largest = 0.0F; ///< Largest magnitude of all cells.

    bool isExact() const { return rowsPerCell == 1 && columnsPerCell == 1; }
};

/// Throws Cancelled.
WeightMap weightMap(const WeightReader& reader, const WeightMapRequest& request,
                    const std::stop_token& stop = {});

} // namespace headscope
