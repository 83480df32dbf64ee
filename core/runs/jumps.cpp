// A jump is a change between two levels that stands out from how the curve moves elsewhere.
// With w = max(3, n / 12) of n finite points (at most 40), D(k) = median(x[k .. k + w)) -
// median(x[k - w .. k)) compares the levels after and before point k; medians do not care for
// single spikes. The noise s is 1.4826 times the median absolute deviation of the differences x[i +
// 1] - x[i], over sqrt(2): most differences are not those of the jump, so it does not count. Point
// k is a jump when |D| is largest within w points, and
//   |D(k)| >= height * range,  |D(k)| >= contrast * s,  and  |D(k)| >= 3 * median of all |D|:
// a slope that is the same everywhere has the same D everywhere and is none.
// Its step is the first measured one beyond half of the way from the one level to the other.
#include "core/runs/jumps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope {

namespace {

constexpr double kFlat = 1e-9; ///< noise of a curve without any

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

double median(const std::vector<double>& values, std::size_t begin, std::size_t end)
{
    return median({values.begin() + static_cast<std::ptrdiff_t>(begin),
                   values.begin() + static_cast<std::ptrdiff_t>(end)});
}

double noiseOf(const std::vector<double>& values)
{
    std::vector<double> differences;
    for (std::size_t i = 0; i + 1 < values.size(); ++i)
        differences.push_back(values[i + 1] - values[i]);
    const double centre = median(differences);
    for (double& difference : differences)
        difference = std::abs(difference - centre);
    return std::max(kFlat, 1.4826 * median(differences) / std::numbers::sqrt2);
}

/// A curve without its gaps.
struct Curve
{
    std::vector<std::int64_t> steps;
    std::vector<double> values;
};

Curve finitePart(std::span<const std::int64_t> steps, std::span<const double> values)
{
    Curve curve;
    for (std::size_t i = 0; i < std::min(steps.size(), values.size()); ++i) {
        if (!std::isfinite(values[i]))
            continue;
        curve.steps.push_back(steps[i]);
        curve.values.push_back(values[i]);
    }
    return curve;
}

/// D(k) for k from w to n - w; 0 outside.
std::vector<double> levelChanges(const std::vector<double>& values, std::size_t w)
{
    std::vector<double> changes(values.size(), 0.0);
    for (std::size_t k = w; k + w <= values.size(); ++k)
        changes[k] = median(values, k, k + w) - median(values, k - w, k);
    return changes;
}

bool isLargestWithin(const std::vector<double>& changes, std::size_t k, std::size_t w)
{
    const std::size_t begin = k - std::min(k, w);
    const std::size_t end = std::min(changes.size(), k + w + 1);
    for (std::size_t i = begin; i < end; ++i) {
        const double other = std::abs(changes[i]);
        if (other > std::abs(changes[k]) || (other == std::abs(changes[k]) && i < k))
            return false;
    }
    return true;
}

Jump jumpAt(const Curve& curve, std::size_t k, std::size_t w, double noise)
{
    Jump jump;
    jump.before = median(curve.values, k - w, k);
    jump.after = median(curve.values, k, k + w);
    jump.contrast = std::abs(jump.after - jump.before) / noise;
    const double half = 0.5 * (jump.before + jump.after);
    const bool rises = jump.after > jump.before;
    std::size_t at = k - w;
    while (at + 1 < k + w && (rises ? curve.values[at] < half : curve.values[at] > half))
        ++at;
    jump.step = curve.steps[at];
    return jump;
}

bool canJump(const Curve& curve, const JumpSettings& settings)
{
    if (curve.values.size() < 7)
        return false;
    const auto [low, high] = std::minmax_element(curve.values.begin(), curve.values.end());
    return *high - *low >= settings.height * settings.range;
}

} // namespace

std::vector<Jump> findJumps(std::span<const std::int64_t> steps, std::span<const double> values,
                            const JumpSettings& settings)
{
    const Curve curve = finitePart(steps, values);
    if (!canJump(curve, settings))
        return {};
    const std::size_t n = curve.values.size();
    const std::size_t w = std::clamp<std::size_t>(n / 12, 3, 40);
    const std::vector<double> changes = levelChanges(curve.values, w);
    std::vector<double> sizes;
    for (std::size_t k = w; k + w <= n; ++k)
        sizes.push_back(std::abs(changes[k]));
    const double noise = noiseOf(curve.values);
    const double least = std::max(
        {settings.height * settings.range, settings.contrast * noise, 3.0 * median(sizes)});
    std::vector<Jump> jumps;
    for (std::size_t k = w; k + w <= n; ++k) {
        if (std::abs(changes[k]) >= least && isLargestWithin(changes, k, w))
            jumps.push_back(jumpAt(curve, k, w, noise));
    }
    return jumps;
}

std::vector<Jump> findJumps(const HeadCurves& curves, const JumpSettings& settings)
{
    std::vector<Jump> jumps;
    const std::vector<std::int64_t> steps = curves.steps();
    for (const std::string& name : curves.names()) {
        if (name == "entropy")
            continue;
        for (const HeadPlace& place : curves.places()) {
            for (Jump& jump : findJumps(steps, curves.curve(name, place), settings)) {
                if (jump.after < jump.before)
                    continue;
                jump.curve = name;
                jump.place = place;
                jumps.push_back(std::move(jump));
            }
        }
    }
    std::stable_sort(jumps.begin(), jumps.end(), [](const Jump& a, const Jump& b) {
        return a.step != b.step ? a.step < b.step : a.after - a.before > b.after - b.before;
    });
    return jumps;
}

std::string describe(const Jump& jump)
{
    return fmt::format("{}{} jumps from {:.2f} to {:.2f} at step {}", jump.curve,
                       jump.place ? " of " + toString(*jump.place) : std::string(), jump.before,
                       jump.after, jump.step);
}

} // namespace headscope
