#pragma once

#include "core/tensor/tensor.h"

#include <array>
#include <cstddef>
#include <vector>

namespace headscope {

/// Points in the plane whose distances approximate given ones: classical multidimensional scaling
/// (Torgerson 1952), the two largest eigenvalues of -1/2 J D^2 J.
struct PlaneMap
{
    std::vector<std::array<double, 2>> points; ///< Centred at 0.
    double kept =
        0.0; ///< Fraction of the positive eigenvalues in these two; NaN when all points coincide.
};

/// `distances` is [n, n], symmetric. Deterministic: on each axis the coordinate of the largest
/// absolute value is positive, the first of equal ones. Throws ShapeError for other shapes.
PlaneMap planeMap(TensorView distances);

/// One merge of the two nearest clusters. Clusters 0 to n - 1 are the points; n + i results from
/// step i.
struct ClusterMerge
{
    std::size_t first = 0; ///< The lower number.
    std::size_t second = 0;
    double distance = 0.0; ///< Mean over all pairs of their points (average linkage).
    std::size_t size = 0;  ///< Number of points in the merged cluster.

    friend bool operator==(const ClusterMerge&, const ClusterMerge&) = default;
};

/// Agglomerative clustering by average linkage (Sokal, Michener 1958), n - 1 steps, nearest first;
/// of equal distances the lowest numbers. Throws ShapeError as above.
std::vector<ClusterMerge> joinNearest(TensorView distances);

/// Cluster of each point when the last `count` - 1 merges are left out, numbered by first
/// appearance: [merges + 1] values below `count`. `count` is clamped to 1 to n.
std::vector<std::size_t> clustersOf(const std::vector<ClusterMerge>& merges, std::size_t count);

} // namespace headscope
