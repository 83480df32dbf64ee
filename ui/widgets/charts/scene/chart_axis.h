#pragma once

#include <QString>

#include <vector>

namespace headscope::ui {

/// One direction of a chart with a linear or logarithmic scale.
struct ChartAxis
{
    double low = 0.0;
    double high = 1.0; ///< High end; greater than low.
    bool logarithmic = false;
    bool whole = false; ///< Ticks at whole numbers only, such as layers; ignored if logarithmic.

    /// Relative position of a value: 0 at low, 1 at high, possibly outside.
    double place(double value) const;
    double value(double place) const;

    /// Round values inside the range, at most about `most`.
    std::vector<double> ticks(int most) const;
    int decimals(int most) const;    ///< Decimals needed for those ticks.
    double tickStep(int most) const; ///< Distance between those ticks of a linear axis.

    friend bool operator==(const ChartAxis&, const ChartAxis&) = default;
};

/// Smallest step of 1, 2 or 5 times a power of ten that divides `range` into at most `most` parts.
double niceStep(double range, int most);

/// Axis with round ends around `low` and `high`. Both must be above 0 for a logarithmic one.
ChartAxis axisAround(double low, double high, int most, bool logarithmic = false);

/// Text of a tick, such as "0.25", "1 200" or "1e-5".
QString tickText(const ChartAxis& axis, double value, int most);

} // namespace headscope::ui
