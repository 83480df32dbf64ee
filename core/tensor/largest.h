#pragma once

#include <cstdint>
#include <span>

namespace headscope {

/// Index of the largest value, of the first one where several are equal. Values that are not
/// numbers are passed over; 0 where there are no others.
std::int64_t largestIndex(std::span<const float> values);

} // namespace headscope
