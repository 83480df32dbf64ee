#pragma once

#include "core/tensor/tensor.h"

#include <Eigen/Core>

namespace headscope {

/// Access to Eigen, for .cpp files of rooms that link it: small linear algebra in double (spectra,
/// projections), never the hot path.
using DoubleMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Copies [rows, columns] whose last axis is contiguous.
inline DoubleMatrix toEigen(TensorView matrix)
{
    using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const Rows, 0, Eigen::OuterStride<>>(matrix.data, matrix.shape[0],
                                                           matrix.shape[1],
                                                           Eigen::OuterStride<>(matrix.stride(0)))
        .cast<double>();
}

inline Tensor toTensor(const DoubleMatrix& matrix)
{
    Tensor tensor({matrix.rows(), matrix.cols()});
    for (Eigen::Index i = 0; i < matrix.size(); ++i)
        tensor.data()[i] = static_cast<float>(matrix.data()[i]);
    return tensor;
}

} // namespace headscope
