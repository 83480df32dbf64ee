#pragma once

#include <span>

namespace headscope {

/// Spearman's rank correlation, ties at their mean rank: 1 where both orders are the same, -1 where
/// one is the other turned round. Pairs with a NaN are left out; NaN for fewer than three pairs and
/// where one side is all the same.
double rankCorrelation(std::span<const double> first, std::span<const double> second);

} // namespace headscope
