#pragma once

#include <limits>

namespace headscope {

/// A number that is not defined, such as a score of a head without a suitable key. Shown as a dash.
inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

} // namespace headscope
