#pragma once

#include "core/analysis/flow/attention_gradients.h"
#include "core/tensor/tensor.h"

#include <functional>
#include <vector>

namespace headscope {

/// One place of a path from 0 to 1 at which a target and its gradients were taken.
struct PathPoint
{
    double at = 0.0;
    double value = 0.0; ///< of the target
    double slope = 0.0; ///< d target / d at
    std::vector<Tensor> gradients;
};

/// Intervals are not halved below this part of where they end: what rises there is a jump. At 0,
/// where a norm makes much of next to nothing, they become as narrow as its square.
constexpr double kNarrowest = 1.0 / (1 << 18);

/// Points of a path, closest where the slope changes most: intervals whose trapezoid misses what
/// the target really rises by are halved, the worst first, until all misses together are below
/// `tolerance` of all rises, or `most` points are there. Sorted; at least 0, 1/4 ... 1. `end` is
/// the point at 1.
std::vector<PathPoint> followPath(PathPoint end, int most, double tolerance,
                                  const std::function<PathPoint(double)>& evaluate,
                                  const std::function<void(double)>& progress = {});

/// What the target rises by in the narrowest intervals beyond what its slopes say.
double jumpsOf(std::span<const PathPoint> points);

/// The trapezoid rule's weights of such points, jumps left out.
std::vector<double> trapezoid(std::span<const PathPoint> points);

} // namespace headscope
