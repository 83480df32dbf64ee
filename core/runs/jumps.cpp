// A jump is a change between two levels that stands out from how the curve moves elsewhere.
// D(k) = median(x[k .. k + w)) - median(x[k - w .. k)) compares the points from k on with those
// before; medians are insensitive to single spikes. It is computed with w = 3, 6, 12, 24 and 48 of
// the n finite points, as far as 4 w <= n, the shortest first. The noise s is 1.4826 times the
// median absolute deviation of the differences x[i + 1] - x[i], over sqrt(2): most differences are
// not those of the jump, so it does not count.
// The level before is the median of the first w points, going back from k, whose predecessors'
// median differs by no more than 5 % of |D(k)| or 3 s; the level after likewise, going forward from
// k.
// Point k is a jump when |D(k)| is the largest within 2 w points and at least 3 times the median of
// all |D| (a constant slope is none), when |D(k)| and the difference of the levels both are at
// least height and contrast * s, and when there is a level before it (the fall of a loss at the
// start has none). Its step is the first measured one beyond half of the way from one level to the
// other.
#include "core/runs/jumps.h"

#include "core/base/median.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace headscope {

namespace {

constexpr double kFlat = 1e-9; ///< Noise of a curve without any.

double medianOf(const std::vector<double>& values, std::size_t begin, std::size_t end)
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

/// The finite points of a curve.
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

/// Level change D(k) for k from w to n - w; 0 outside.
std::vector<double> levelChanges(const std::vector<double>& values, std::size_t w)
{
    std::vector<double> changes(values.size(), 0.0);
    for (std::size_t k = w; k + w <= values.size(); ++k)
        changes[k] = medianOf(values, k, k + w) - medianOf(values, k - w, k);
    return changes;
}

bool isLargestWithin(const std::vector<double>& changes, std::size_t k, std::size_t reach)
{
    const std::size_t begin = k - std::min(k, reach);
    const std::size_t end = std::min(changes.size(), k + reach + 1);
    for (std::size_t i = begin; i < end; ++i) {
        const double other = std::abs(changes[i]);
        if (other > std::abs(changes[k]) || (other == std::abs(changes[k]) && i < k))
            return false;
    }
    return true;
}

/// The first stretch of w points, going outwards from `begin`, that changes by no more than
/// `still`; empty if the curve ends before.
std::optional<double> levelFrom(const std::vector<double>& values, std::size_t begin, std::size_t w,
                                double still, bool forwards)
{
    const std::size_t n = values.size();
    for (;;) {
        const std::size_t next = forwards ? begin + w : begin - w;
        if (next + w > n || (!forwards && begin < w))
            return std::nullopt;
        const double level = medianOf(values, begin, begin + w);
        if (std::abs(medianOf(values, next, next + w) - level) <= still)
            return level;
        begin = next;
    }
}

/// The first measured step beyond half of the way.
std::int64_t crossing(const Curve& curve, std::size_t k, std::size_t w, const Jump& jump)
{
    const double half = 0.5 * (jump.before + jump.after);
    const auto isBeyond = [&](std::size_t i) {
        return jump.after > jump.before ? curve.values[i] >= half : curve.values[i] <= half;
    };
    std::size_t at = k;
    while (at > k - w && isBeyond(at - 1))
        --at;
    while (at + 1 < curve.values.size() && !isBeyond(at))
        ++at;
    return curve.steps[at];
}

/// Search with one width w.
class Search
{
public:
    Search(const Curve& curve, const JumpSettings& settings, double noise, std::size_t w)
        : m_curve(curve)
        , m_noise(noise)
        , m_width(w)
        , m_least(std::max(settings.height, settings.contrast * noise))
        , m_onlySettled(settings.onlySettled)
        , m_changes(levelChanges(curve.values, w))
    {
    }

    void addTo(std::vector<Jump>& jumps) const
    {
        std::vector<double> sizes;
        for (const double change : m_changes)
            sizes.push_back(std::abs(change));
        const double least = std::max(m_least, 3.0 * median(sizes));
        for (std::size_t k = 2 * m_width; k + m_width <= m_changes.size(); ++k) {
            if (std::abs(m_changes[k]) < least || !isLargestWithin(m_changes, k, 2 * m_width))
                continue;
            const std::optional<Jump> jump = jumpAt(k);
            if (jump && !isNear(jumps, k))
                jumps.push_back(*jump);
        }
    }

private:
    /// Jump at k with its levels, if there are any that are far enough apart.
    std::optional<Jump> jumpAt(std::size_t k) const
    {
        const std::size_t w = m_width;
        const double still = std::max(0.05 * std::abs(m_changes[k]), 3.0 * m_noise);
        const auto before = levelFrom(m_curve.values, k - w, w, still, false);
        auto after = levelFrom(m_curve.values, k, w, still, true);
        if (!after && !m_onlySettled)
            after = medianOf(m_curve.values, m_curve.values.size() - w, m_curve.values.size());
        if (!before || !after)
            return std::nullopt;
        Jump jump;
        jump.before = *before;
        jump.after = *after;
        const double height = std::abs(jump.after - jump.before);
        jump.contrast = height / m_noise;
        jump.step = crossing(m_curve, k, w, jump);
        return height >= m_least ? std::optional(jump) : std::nullopt;
    }

    /// True if a shorter width has already found the jump.
    bool isNear(const std::vector<Jump>& jumps, std::size_t k) const
    {
        const std::size_t end = std::min(m_curve.steps.size() - 1, k + 3 * m_width);
        const std::int64_t first = m_curve.steps[k - std::min(k, 3 * m_width)];
        const std::int64_t last = m_curve.steps[end];
        return std::ranges::any_of(
            jumps, [&](const Jump& jump) { return jump.step >= first && jump.step <= last; });
    }

    const Curve& m_curve;
    double m_noise;
    std::size_t m_width;
    double m_least;
    bool m_onlySettled;
    std::vector<double> m_changes;
};

bool canJump(const Curve& curve, const JumpSettings& settings)
{
    if (curve.values.size() < 12)
        return false;
    const auto [low, high] = std::minmax_element(curve.values.begin(), curve.values.end());
    return *high - *low >= settings.height;
}

} // namespace

std::vector<Jump> findJumps(std::span<const std::int64_t> steps, std::span<const double> values,
                            const JumpSettings& settings)
{
    const Curve curve = finitePart(steps, values);
    if (!canJump(curve, settings))
        return {};
    const double noise = noiseOf(curve.values);
    std::vector<Jump> jumps;
    for (const std::size_t w : {3U, 6U, 12U, 24U, 48U}) {
        if (4 * w <= curve.values.size())
            Search(curve, settings, noise, w).addTo(jumps);
    }
    std::ranges::stable_sort(jumps, {}, &Jump::step);
    return jumps;
}

std::vector<Jump> findJumps(const HeadCurves& curves, const JumpSettings& settings)
{
    std::vector<Jump> jumps;
    const std::vector<std::int64_t> steps = curves.steps();
    for (const std::string& name : curves.names()) {
        if (name == "entropy")
            continue;
        for (const HeadId& place : curves.places()) {
            for (Jump& jump : findJumps(steps, curves.curve(name, place), settings)) {
                if (jump.after < jump.before)
                    continue;
                jump.curve = name;
                jump.place = place;
                jumps.push_back(std::move(jump));
            }
        }
    }
    std::ranges::stable_sort(jumps, [](const Jump& a, const Jump& b) {
        return a.step != b.step ? a.step < b.step : a.after - a.before > b.after - b.before;
    });
    return jumps;
}

std::optional<LevelReached> findLevel(const HeadCurves& curves, const std::string& score,
                                      double level)
{
    for (const HeadScorePoint& point : curves.points()) {
        std::optional<LevelReached> best;
        for (const HeadId& place : point.places) {
            const double value = point.value(score, place); // NaN is never the best
            if (value >= level && (!best || value > best->value))
                best = {point.step, place, value};
        }
        if (best)
            return best;
    }
    return std::nullopt;
}

std::string describe(const Jump& jump)
{
    return fmt::format("{}{} jumps from {:.2f} to {:.2f} at step {}", jump.curve,
                       jump.place ? " of " + toString(*jump.place) : std::string(), jump.before,
                       jump.after, jump.step);
}

} // namespace headscope
