#include "core/lessons/labs/heads/head_matrix.h"

#include "core/lessons/labs/lab_parts.h"

namespace headscope {

LabMatrix headMatrix(const std::vector<std::vector<double>>& values, double low, double high,
                     bool isSigned)
{
    LabMatrix matrix{"layer", "head"};
    matrix.low = low;
    matrix.high = high;
    matrix.isSigned = isSigned;
    matrix.rowLabels = countedLabels(std::ssize(values));
    if (!values.empty())
        matrix.columnLabels = countedLabels(std::ssize(values.front()));
    for (const std::vector<double>& layer : values)
        matrix.values.insert(matrix.values.end(), layer.begin(), layer.end());
    return matrix;
}

} // namespace headscope
