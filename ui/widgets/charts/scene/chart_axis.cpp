#include "ui/widgets/charts/scene/chart_axis.h"

#include "ui/widgets/style/theme.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kTiny = 1e-300;
constexpr double kSlack = 1e-9; ///< Tolerance in steps for ends that are meant to be ticks.

double positive(double value)
{
    return std::max(value, kTiny);
}

/// Powers of ten; where there are few, also 2 and 5 times them.
std::vector<double> logarithmicTicks(const ChartAxis& axis, int most)
{
    const double decades = std::log10(positive(axis.high) / positive(axis.low));
    const int stride = std::max(1, static_cast<int>(std::ceil(decades / std::max(most, 1))));
    std::vector<double> factors{1.0};
    if (decades * 3.0 <= most)
        factors = {1.0, 2.0, 5.0};
    std::vector<double> ticks;
    const int first = static_cast<int>(std::floor(std::log10(positive(axis.low)) + kSlack));
    const int last = static_cast<int>(std::ceil(std::log10(positive(axis.high)) - kSlack));
    for (int power = first; power <= last; power += stride) {
        for (const double factor : factors) {
            const double tick = factor * std::pow(10.0, power);
            if (tick >= axis.low * (1.0 - kSlack) && tick <= axis.high * (1.0 + kSlack))
                ticks.push_back(tick);
        }
    }
    return ticks;
}

} // namespace

double ChartAxis::place(double value) const
{
    if (!logarithmic)
        return (value - low) / (high - low);
    return std::log(std::max(positive(value), positive(low) * kSlack) / positive(low)) /
           std::log(positive(high) / positive(low));
}

double ChartAxis::value(double place) const
{
    if (!logarithmic)
        return low + place * (high - low);
    return positive(low) * std::pow(positive(high) / positive(low), place);
}

std::vector<double> ChartAxis::ticks(int most) const
{
    if (logarithmic)
        return logarithmicTicks(*this, most);
    const double step = tickStep(most);
    std::vector<double> ticks;
    const auto first = static_cast<long long>(std::ceil(low / step - kSlack));
    const auto last = static_cast<long long>(std::floor(high / step + kSlack));
    for (long long index = first; index <= last; ++index)
        ticks.push_back(static_cast<double>(index) * step);
    return ticks;
}

double ChartAxis::tickStep(int most) const
{
    const double step = niceStep(high - low, most);
    return whole ? std::max(step, 1.0) : step;
}

int ChartAxis::decimals(int most) const
{
    const double step = tickStep(most);
    return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - kSlack)), 0, 9);
}

double niceStep(double range, int most)
{
    const double raw = std::max(range, 1e-12) / std::max(most, 1);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= raw * (1.0 - kSlack))
            return factor * power;
    }
    return 10.0 * power;
}

ChartAxis axisAround(double low, double high, int most, bool logarithmic)
{
    if (!logarithmic) {
        const double step = niceStep(high - low, most);
        const double bottom = std::floor(low / step + kSlack) * step;
        const double top = std::ceil(high / step - kSlack) * step;
        return {bottom, std::max(top, bottom + step), false};
    }
    const auto rounded = [](double value, bool up) {
        const double power = std::pow(10.0, std::floor(std::log10(positive(value)) + kSlack));
        const double factors[] = {1.0, 2.0, 5.0, 10.0};
        double best = up ? 10.0 * power : power;
        for (const double factor : factors) {
            const double tick = factor * power;
            const bool fits = up ? tick >= value * (1.0 - kSlack) : tick <= value * (1.0 + kSlack);
            if (fits)
                best = up ? std::min(best, tick) : std::max(best, tick);
        }
        return best;
    };
    const double bottom = rounded(low, false);
    const double top = rounded(high, true);
    return {bottom, top > bottom ? top : 2.0 * bottom, true};
}

QString tickText(const ChartAxis& axis, double value, int most)
{
    if (!axis.logarithmic) {
        const int decimals = axis.decimals(most);
        return decimals <= 5 ? number(value, decimals) : scientific(value, 3);
    }
    if (value >= 0.01 && value < 1e6)
        return number(value,
                      std::max(0, -static_cast<int>(std::floor(std::log10(value) + kSlack))));
    return scientific(value, 2);
}

} // namespace headscope::ui
