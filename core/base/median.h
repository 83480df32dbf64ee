#pragma once

#include <vector>

namespace headscope {

/// The value in the middle, or the mean of the two there. NaN without values.
double median(std::vector<double> values);

} // namespace headscope
