#include "core/lessons/labs/heads/head_matrix.h"

#include <fmt/format.h>

namespace headscope {

LabMatrix headMatrix(const std::vector<std::vector<double>>& values, double low, double high,
                     bool isSigned)
{
    LabMatrix matrix;
    matrix.rows = "layer";
    matrix.columns = "head";
    matrix.low = low;
    matrix.high = high;
    matrix.isSigned = isSigned;
    for (std::size_t layer = 0; layer < values.size(); ++layer) {
        matrix.rowLabels.push_back(fmt::format("{}", layer));
        matrix.values.insert(matrix.values.end(), values[layer].begin(), values[layer].end());
    }
    for (std::size_t head = 0; !values.empty() && head < values.front().size(); ++head)
        matrix.columnLabels.push_back(fmt::format("{}", head));
    return matrix;
}

} // namespace headscope
