#pragma once

#include "core/tensor/eigen_map.h"

#include <Eigen/QR>

#include <algorithm>

namespace headscope {

/// R of a QR decomposition, [min(rows, columns), columns]: a matrix up to a rotation of its rows.
/// For .cpp files only.
inline DoubleMatrix triangularFactor(const DoubleMatrix& matrix)
{
    const Eigen::Index rank = std::min(matrix.rows(), matrix.cols());
    const Eigen::HouseholderQR<DoubleMatrix> decomposition(matrix);
    return decomposition.matrixQR().topRows(rank).triangularView<Eigen::Upper>();
}

} // namespace headscope
