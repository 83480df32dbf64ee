#pragma once

#include "core/ops/parameter_updates.h"
#include "core/train/trainer.h"

#include <span>
#include <vector>

namespace headscope {

/// Weights and moments in one layout.
struct OptimizedValues
{
    std::span<float> weights;
    std::span<float> firstMoment;
    std::span<float> secondMoment;
    std::int64_t step = 0; ///< Number of updates done before.
};

/// AdamW, Adam or gradient descent with momentum over all parameters of a layout, split over
/// parallelFor's workers in fixed ranges. Momentum is stored in the first moment.
class Optimizer
{
public:
    Optimizer(const OptimizerSettings& settings, std::span<const ParameterSpec> layout);

    Optimizer(const OptimizerSettings& settings, const ParameterSet& layout)
        : Optimizer(settings, layout.specs())
    {
    }

    /// Computes parts[0] += parts[1] + ... in that order; returns the global norm of the result.
    double sumGradients(std::span<const std::span<float>> parts);
    double sumGradients(std::span<ParameterSet> parts);

    /// One update of all parameters with `rate`; state.step is the number of updates done before.
    void update(const OptimizedValues& state, std::span<const float> gradients, double rate,
                double gradientNorm) const;
    void update(TrainingState& state, const ParameterSet& gradients, double rate,
                double gradientNorm) const;

private:
    struct Segment ///< Adjacent parameters with one weight decay.
    {
        std::size_t begin = 0;
        std::size_t end = 0;
        double decay = 0.0;
    };

    template<class Body>
    void forSegments(std::size_t count, const Body& body) const;

    void adamUpdate(const OptimizedValues& state, std::span<const float> gradients, double rate,
                    double scale) const;
    void sgdUpdate(const OptimizedValues& state, std::span<const float> gradients, double rate,
                   double scale) const;

    OptimizerSettings m_settings;
    std::vector<Segment> m_segments;
    std::vector<std::span<float>> m_parts; ///< Values of the parts while summing.
    std::vector<const float*> m_others;    ///< Used as parts[1] ... while summing.
    std::vector<double> m_squares;         ///< Sum of squares of each range.
};

} // namespace headscope
