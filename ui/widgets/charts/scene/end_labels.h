#pragma once

#include <vector>

namespace headscope::ui {

/// Heights of labels near the `wanted` ones, at least `pitch` apart, the lowest at most at `limit`,
/// in the order of `wanted`.
std::vector<double> movedApart(const std::vector<double>& wanted, double pitch, double limit);

/// Place of a label: its height, and its column from the left.
struct EndLabelPlace
{
    double height = 0.0;
    int column = 0;

    friend bool operator==(const EndLabelPlace&, const EndLabelPlace&) = default;
};

/// Same in as many columns as are needed above `limit` and below `top`: labels of neighbouring heights
/// are side by side.
std::vector<EndLabelPlace> movedIntoColumns(const std::vector<double>& wanted, double pitch,
                                            double top, double limit);

} // namespace headscope::ui
