#include "ui/widgets/charts/scene/end_labels.h"

#include <algorithm>
#include <numeric>

namespace headscope::ui {

namespace {

std::vector<std::size_t> orderOf(const std::vector<double>& wanted)
{
    std::vector<std::size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&wanted](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
    return order;
}

} // namespace

std::vector<double> movedApart(const std::vector<double>& wanted, double pitch, double limit)
{
    const std::vector<std::size_t> order = orderOf(wanted);
    std::vector<double> moved = wanted;
    for (std::size_t index = 1; index < order.size(); ++index)
        moved[order[index]] = std::max(moved[order[index]], moved[order[index - 1]] + pitch);
    for (std::size_t index = order.size(); index-- > 0; limit -= pitch)
        moved[order[index]] = std::min(moved[order[index]], limit);
    return moved;
}

std::vector<EndLabelPlace> movedIntoColumns(const std::vector<double>& wanted, double pitch,
                                            double top, double limit)
{
    const auto rows = static_cast<std::size_t>(std::max(0.0, (limit - top) / pitch)) + 1;
    const std::size_t columns = (wanted.size() + rows - 1) / rows;
    const std::vector<std::size_t> order = orderOf(wanted);
    std::vector<EndLabelPlace> places(wanted.size());
    for (std::size_t column = 0; column < columns; ++column) {
        std::vector<double> heights;
        for (std::size_t index = column; index < order.size(); index += columns)
            heights.push_back(std::max(wanted[order[index]], top));
        heights = movedApart(heights, pitch, limit);
        for (std::size_t row = 0; row < heights.size(); ++row)
            places[order[column + row * columns]] = {heights[row], static_cast<int>(column)};
    }
    return places;
}

} // namespace headscope::ui
