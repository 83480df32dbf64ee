#pragma once

#include "core/ops/adamw.h"
#include "core/train/trainer.h"

#include <span>
#include <vector>

namespace headscope {

/// AdamW over a whole ParameterSet, split over parallelFor's workers in fixed ranges.
class Optimizer
{
public:
    Optimizer(const OptimizerSettings& settings, const ParameterSet& layout);

    /// parts[0] += parts[1] + ... in that order; returns the global norm of the result.
    double sumGradients(std::span<ParameterSet> parts);

    /// One update of all parameters with `rate`; state.step is the number of updates done before.
    void update(TrainingState& state, const ParameterSet& gradients, double rate,
                double gradientNorm) const;

private:
    struct Segment ///< neighbouring parameters that share one decay
    {
        std::size_t begin = 0;
        std::size_t end = 0;
        double decay = 0.0;
    };

    void updateRange(TrainingState& state, const ParameterSet& gradients, AdamWUpdate update,
                     std::size_t begin, std::size_t end) const;

    OptimizerSettings m_settings;
    std::vector<Segment> m_segments;
    std::vector<const float*> m_others; ///< parts[1] ... while summing
    std::vector<double> m_squares;      ///< of each range
};

} // namespace headscope
