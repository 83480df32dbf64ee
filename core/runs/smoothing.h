#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headscope {

/// Smoothed curve for display, without invented spikes. Value i becomes the mean of the middle half
/// of the values within `radius` points on both sides (fewer, and as many on both sides, near the
/// ends): a single outlier does not move it, and it lies between the smallest and the largest value
/// of its window. The first and the last point are unchanged. Values that are not finite are left
/// out; a window without any gives NaN.
std::vector<double> smoothed(std::span<const double> values, std::size_t radius);

} // namespace headscope
