#pragma once

#include "core/tensor/tensor.h"

#include <array>
#include <cstdint>

namespace headscope {

/// Where all of a head's attention goes by distance |query - key|, in bins that begin at 0, 1, 2,
/// 4, ..., 4096 (HeadVis); the last has no end. Unlike DistanceProfile, which compares distances
/// evenly, these are shares of the whole: near bins are full because every query has near keys.
struct DistanceHistogram
{
    static constexpr std::size_t kBins = 14;

    std::array<double, kBins> shares{}; ///< add up to 1; all NaN for a pattern without attention

    static std::int64_t beginOf(std::size_t bin); ///< 0, 1, 2, 4, ...
    static std::size_t binOf(std::int64_t distance);
};

/// `pattern` is [n, m]. Throws ShapeError for other ranks.
DistanceHistogram distanceHistogram(TensorView pattern);

} // namespace headscope
