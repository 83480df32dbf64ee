#pragma once

#include <span>

namespace headscope {

/// Spearman's rank correlation, ties at their mean rank: 1 for the same order, -1 for the reverse.
/// Pairs with a NaN are left out; NaN for fewer than three pairs and where one side is constant.
double rankCorrelation(std::span<const double> first, std::span<const double> second);

} // namespace headscope
