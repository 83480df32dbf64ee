#include "core/analysis/flow/path_integral.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr int kIntervals = 4; ///< Number of intervals at the start.
constexpr double kJump = 0.1; ///< Fraction of the whole rise that counts as a jump.

double rise(const PathPoint& a, const PathPoint& b)
{
    return b.value - a.value;
}

/// Slopes that overflowed are ignored: many norms in a row amplify tiny inputs without bound.
double miss(const PathPoint& a, const PathPoint& b)
{
    if (!std::isfinite(a.slope) || !std::isfinite(b.slope))
        return rise(a, b);
    return rise(a, b) - 0.5 * (b.at - a.at) * (a.slope + b.slope);
}

bool isNarrowest(const PathPoint& a, const PathPoint& b)
{
    return b.at - a.at <= kNarrowest * std::max(b.at, kNarrowest);
}

/// True where the slopes at both ends do not predict the rise between them.
bool isJump(const PathPoint& a, const PathPoint& b)
{
    const bool overflowed = !std::isfinite(a.slope) || !std::isfinite(b.slope);
    return overflowed || (isNarrowest(a, b) && std::abs(miss(a, b)) > kJump * std::abs(rise(a, b)));
}

struct Misses
{
    double all = 0.0;
    double rises = 0.0;
    std::size_t worst = 0; ///< Interval with the largest miss.
};

Misses missesOf(std::span<const PathPoint> points)
{
    Misses misses;
    double largest = -1.0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        if (isNarrowest(points[i], points[i + 1]))
            continue;
        const double here = std::abs(miss(points[i], points[i + 1]));
        misses.all += here;
        misses.rises += std::abs(rise(points[i], points[i + 1]));
        if (here > largest) {
            largest = here;
            misses.worst = i;
        }
    }
    return misses;
}

} // namespace

std::vector<PathPoint> followPath(PathPoint end, int most, double tolerance,
                                  const std::function<PathPoint(double)>& evaluate,
                                  const std::function<void(double)>& progress)
{
    std::vector<PathPoint> points;
    const auto tell = [&](std::size_t known) {
        if (progress)
            progress(static_cast<double>(known) /
                     static_cast<double>(std::max(most, kIntervals + 1)));
    };
    for (int i = 0; i < kIntervals; ++i) {
        points.push_back(evaluate(static_cast<double>(i) / kIntervals));
        tell(points.size() + 1); // and the end
    }
    points.push_back(std::move(end));
    while (static_cast<int>(points.size()) < most) {
        const Misses misses = missesOf(points);
        if (misses.all <= tolerance * misses.rises)
            break;
        const double middle = 0.5 * (points[misses.worst].at + points[misses.worst + 1].at);
        points.insert(points.begin() + static_cast<std::ptrdiff_t>(misses.worst) + 1,
                      evaluate(middle));
        tell(points.size());
    }
    return points;
}

double jumpsOf(std::span<const PathPoint> points)
{
    double jumps = 0.0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const PathPoint& a = points[i];
        const PathPoint& b = points[i + 1];
        if (isNarrowest(a, b) || isJump(a, b))
            jumps += isJump(a, b) ? rise(a, b) : miss(a, b);
    }
    return jumps;
}

std::vector<double> trapezoid(std::span<const PathPoint> points)
{
    std::vector<double> weights(points.size());
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        if (isJump(points[i], points[i + 1]))
            continue;
        const double half = 0.5 * (points[i + 1].at - points[i].at);
        weights[i] += half;
        weights[i + 1] += half;
    }
    return weights;
}

} // namespace headscope
