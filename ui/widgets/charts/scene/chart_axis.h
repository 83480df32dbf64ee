#pragma once

#include <QString>

#include <vector>

namespace headscope::ui {

/// One direction of a chart: values, evenly or by their logarithm.
struct ChartAxis
{
    double low = 0.0;
    double high = 1.0; ///< above low
    bool logarithmic = false;

    double place(double value) const; ///< 0 at low, 1 at high; may lie outside
    double value(double place) const;

    std::vector<double> ticks(int most) const; ///< round values inside, at most about so many
    int decimals(int most) const;              ///< that those ticks need

    friend bool operator==(const ChartAxis&, const ChartAxis&) = default;
};

/// 1, 2 or 5 times a power of ten: the smallest that divides `range` in at most `most` parts.
double niceStep(double range, int most);

/// The axis with round ends around `low` and `high`. Of a logarithmic one both must be above 0.
ChartAxis axisAround(double low, double high, int most, bool logarithmic = false);

QString tickText(const ChartAxis& axis, double value, int most); ///< "0.25", "1 200", "1e-5"

} // namespace headscope::ui
