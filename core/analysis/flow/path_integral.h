#pragma once

#include "core/analysis/flow/attention_gradients.h"
#include "core/tensor/tensor.h"

#include <functional>
#include <vector>

namespace headscope {

/// One point of a path from 0 to 1 at which a target and its gradients were computed.
struct PathPoint
{
    double at = 0.0;
    double value = 0.0; ///< Value of the target.
    double slope = 0.0; ///< Derivative d target / d at.
    std::vector<Tensor> gradients;
};

/// Intervals are not halved below this fraction of their right end: a rise there is a jump. At 0,
/// where a norm amplifies tiny inputs, they become as narrow as its square.
constexpr double kNarrowest = 1.0 / (1 << 18);

/// Points of a path, closest where the slope changes most: intervals whose trapezoid misses the
/// target's actual rise are halved, the worst first, until all misses together are below
/// `tolerance` of all rises, or there are `most` points. Sorted; at least 0, 1/4 ... 1. `end` is
/// the point at 1.
std::vector<PathPoint> followPath(PathPoint end, int most, double tolerance,
                                  const std::function<PathPoint(double)>& evaluate,
                                  const std::function<void(double)>& progress = {});

/// Rise of the target in the narrowest intervals beyond what its slopes predict.
double jumpsOf(std::span<const PathPoint> points);

/// Weights of the trapezoid rule for such points, without jumps.
std::vector<double> trapezoid(std::span<const PathPoint> points);

} // namespace headscope
