#pragma once

#include "core/tensor/tensor.h"

#include <vector>

namespace headscope {

/// Half-open run of distances. A distance is query position - key position: positive looks back.
struct DistanceRange
{
    std::int64_t begin = 0;
    std::int64_t end = 0;

    friend bool operator==(const DistanceRange&, const DistanceRange&) = default;
};

/// Mean attention weight by distance: at d the mean of A[i, i - d] over the queries i that have a
/// key there, hidden keys counting as 0. Each distance is so compared with an even head of its own
/// number of queries, not drowned by the many near ones.
class DistanceProfile
{
public:
    DistanceProfile() = default;

    /// [n, m], without some queries (rising), as if those had no keys. Throws ShapeError for other
    /// ranks and other queries.
    explicit DistanceProfile(TensorView pattern, const std::vector<int>& without = {});

    /// From the furthest key ahead to the furthest behind.
    DistanceRange range() const { return {-m_ahead, behindEnd()}; }

    bool isEmpty() const { return m_sums.empty(); }

    std::int64_t queriesAt(std::int64_t distance) const; ///< 0 outside range()
    double at(std::int64_t distance) const;              ///< NaN where no query has that distance

    /// Mean over all pairs of a run of distances: each weighs with its queries.
    double over(DistanceRange distances) const;

private:
    std::int64_t behindEnd() const { return static_cast<std::int64_t>(m_sums.size()) - m_ahead; }

    std::int64_t m_ahead = 0;           ///< keys after the first query
    std::vector<double> m_sums;         ///< by distance + m_ahead
    std::vector<std::int64_t> m_counts; ///< of queries, likewise
};

/// 0, 1, 2-3, 4-7, 8-15 ... and the same ahead, cut to `range`.
std::vector<DistanceRange> logDistances(DistanceRange range);

/// Every distance by itself.
std::vector<DistanceRange> allDistances(DistanceRange range);

} // namespace headscope
