#include "core/runs/smoothing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headscope {

namespace {

/// Sorts the values and returns their interquartile mean: without the lowest and the highest
/// quarter, rounded down.
double meanOfMiddleHalf(std::vector<double>& values)
{
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    std::sort(values.begin(), values.end());
    const auto cut = static_cast<std::ptrdiff_t>(values.size() / 4);
    const double sum = std::accumulate(values.begin() + cut, values.end() - cut, 0.0);
    const double mean =
        sum / static_cast<double>(values.size() - 2 * static_cast<std::size_t>(cut));
    return std::clamp(mean, values.front(), values.back()); // against rounding
}

} // namespace

std::vector<double> smoothed(std::span<const double> values, std::size_t radius)
{
    std::vector<double> result;
    result.reserve(values.size());
    std::vector<double> window;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t reach = std::min({radius, i, values.size() - 1 - i});
        window.clear();
        for (std::size_t j = i - reach; j <= i + reach; ++j) {
            if (std::isfinite(values[j]))
                window.push_back(values[j]);
        }
        result.push_back(meanOfMiddleHalf(window));
    }
    return result;
}

} // namespace headscope
