#pragma once

#include "core/tensor/tensor.h"

#include <vector>

namespace headscope {

/// Half-open range of distances. A distance is query position - key position: positive means an
/// earlier key.
struct DistanceRange
{
    std::int64_t begin = 0;
    std::int64_t end = 0;

    friend bool operator==(const DistanceRange&, const DistanceRange&) = default;
};

/// Mean attention weight by distance: at d the mean of A[i, i - d] over the queries i that have a
/// key there, masked keys counting as 0. Each distance is thus compared with uniform attention over
/// its own number of queries, not dominated by the many short ones.
class DistanceProfile
{
public:
    DistanceProfile() = default;

    /// Profile of a pattern [n, m] without some queries (ascending), as if those had no keys.
    /// Throws ShapeError for other ranks and queries out of range.
    explicit DistanceProfile(TensorView pattern, const std::vector<int>& without = {});

    /// From the furthest later key to the furthest earlier one.
    DistanceRange range() const { return {-m_ahead, behindEnd()}; }

    std::int64_t queriesAt(std::int64_t distance) const; ///< 0 outside range().
    double at(std::int64_t distance) const;              ///< NaN where no query has that distance.

    /// Mean over all pairs of a range of distances, each distance weighted by its number of
    /// queries.
    double over(DistanceRange distances) const;

private:
    std::int64_t behindEnd() const { return static_cast<std::int64_t>(m_sums.size()) - m_ahead; }

    std::int64_t m_ahead = 0;           ///< Number of keys after the first query.
    std::vector<double> m_sums;         ///< Sums by distance + m_ahead.
    std::vector<std::int64_t> m_counts; ///< Number of queries by distance + m_ahead.
};

/// Ranges 0, 1, 2-3, 4-7, 8-15 ... and the same for later keys, clipped to `range`.
std::vector<DistanceRange> logDistances(DistanceRange range);

/// One range per distance.
std::vector<DistanceRange> allDistances(DistanceRange range);

} // namespace headscope
