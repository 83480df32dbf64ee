#include "core/lessons/labs/training/scaling_fits.h"

#include "core/lessons/labs/attention/attention_parts.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

double quantityOf(const ScalingPoint& point, ScalingLaw law)
{
    if (law == ScalingLaw::Size)
        return point.parameters;
    return law == ScalingLaw::Data ? point.tokens : point.compute();
}

bool belongs(const ScalingPoint& point, const std::vector<ScalingPoint>& all, ScalingLaw law)
{
    return std::ranges::all_of(all, [&](const ScalingPoint& other) {
        if (law == ScalingLaw::Size)
            return other.tokens <= point.tokens;
        if (law == ScalingLaw::Data)
            return other.parameters <= point.parameters;
        return other.compute() >= point.compute() || other.loss > point.loss;
    });
}

} // namespace

std::vector<PowerLawPoint> scalingPoints(const std::vector<ScalingPoint>& trained, ScalingLaw law)
{
    std::vector<PowerLawPoint> points;
    for (const ScalingPoint& point : trained)
        if (belongs(point, trained, law))
            points.push_back({quantityOf(point, law), point.loss});
    std::ranges::sort(points, {}, &PowerLawPoint::size);
    return points;
}

double straightExponent(const std::vector<PowerLawPoint>& points)
{
    std::vector<double> sizes;
    std::vector<double> losses;
    for (const PowerLawPoint& point : points) {
        sizes.push_back(point.size);
        losses.push_back(point.loss);
    }
    const double slope = logLogSlope(sizes, losses);
    return std::isfinite(slope) ? -slope : 0.0;
}

PublishedExponents publishedExponents(ScalingLaw law)
{
    constexpr double kAlpha = 0.34;
    constexpr double kBeta = 0.28;
    switch (law) {
    case ScalingLaw::Size:
        return {0.076, kAlpha};
    case ScalingLaw::Data:
        return {0.095, kBeta};
    case ScalingLaw::Compute:
        break;
    }
    return {0.050, kAlpha * kBeta / (kAlpha + kBeta)}; // N and D balanced at C = 6 N D
}

} // namespace headscope
