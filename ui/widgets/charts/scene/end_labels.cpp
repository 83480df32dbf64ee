#include "ui/widgets/charts/scene/end_labels.h"

#include <algorithm>
#include <numeric>

namespace headscope::ui {

std::vector<double> movedApart(const std::vector<double>& wanted, double pitch, double limit)
{
    std::vector<std::size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&wanted](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
    std::vector<double> moved = wanted;
    for (std::size_t index = 1; index < order.size(); ++index)
        moved[order[index]] = std::max(moved[order[index]], moved[order[index - 1]] + pitch);
    for (std::size_t index = order.size(); index-- > 0; limit -= pitch)
        moved[order[index]] = std::min(moved[order[index]], limit);
    return moved;
}

} // namespace headscope::ui
