#pragma once

#include <vector>

namespace headscope::ui {

/// Heights of labels that are wanted beside the ends of curves, moved apart by at least `pitch`,
/// the lowest at most at `limit`. In the order of `wanted`.
std::vector<double> movedApart(const std::vector<double>& wanted, double pitch, double limit);

} // namespace headscope::ui
