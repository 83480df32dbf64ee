#pragma once

#include "core/model/weights/parameters.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope {

/// Moments of the batches that a model with BatchNorm is trained on, and the running averages that it
/// keeps of them. A training pass leaves the moments of its batch among the gradients, where the
/// optimizer must not see them.
class RunningStatistics
{
public:
    /// Weight of a new batch in the running averages (as in PyTorch).
    static constexpr double kMomentum = 0.1;

    explicit RunningStatistics(const std::vector<ParameterSpec>& layout);

    bool isEmpty() const { return m_ranges.empty(); }

    void clear(); ///< Before the first part of a batch.

    /// Takes the moments of one part of a batch out of its gradients, which become 0 there.
    void take(std::span<float> gradients);

    /// running = 0.9 running + 0.1 mean over the parts since clear().
    void update(std::span<float> parameters) const;

private:
    struct Range
    {
        std::size_t begin = 0;
        std::size_t count = 0;
    };

    std::vector<Range> m_ranges;
    std::vector<double> m_sums; ///< Over the parts, range after range.
    std::int64_t m_parts = 0;
};

} // namespace headscope
