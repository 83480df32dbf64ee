#include "core/analysis/scores/distance_histogram.h"

#include "core/base/error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace headscope {

std::int64_t DistanceHistogram::beginOf(std::size_t bin)
{
    return bin == 0 ? 0 : std::int64_t{1} << (bin - 1);
}

std::size_t DistanceHistogram::binOf(std::int64_t distance)
{
    const auto size = static_cast<std::uint64_t>(std::abs(distance));
    return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(size)), kBins - 1);
}

DistanceHistogram distanceHistogram(TensorView pattern)
{
    if (pattern.shape.rank() != 2)
        throw ShapeError("a pattern of shape " + pattern.shape.toString(), "distanceHistogram",
                         "Give [n, m]");
    DistanceHistogram histogram;
    double all = 0.0;
    for (std::int64_t query = 0; query < pattern.shape[0]; ++query)
        for (std::int64_t key = 0; key < pattern.shape[1]; ++key) {
            const auto weight = static_cast<double>(pattern(query, key));
            histogram.shares[DistanceHistogram::binOf(query - key)] += weight;
            all += weight;
        }
    for (double& share : histogram.shares)
        share = all > 0.0 ? share / all : std::numeric_limits<double>::quiet_NaN();
    return histogram;
}

} // namespace headscope
