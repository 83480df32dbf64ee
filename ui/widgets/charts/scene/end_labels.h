#pragma once

#include <vector>

namespace headscope::ui {

/// Heights of labels near the `wanted` ones, at least `pitch` apart, the lowest at most at `limit`,
/// in the order of `wanted`.
std::vector<double> movedApart(const std::vector<double>& wanted, double pitch, double limit);

} // namespace headscope::ui
