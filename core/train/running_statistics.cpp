#include "core/train/running_statistics.h"

#include "core/model/weights/running_statistics.h"

#include <algorithm>

namespace headscope {

RunningStatistics::RunningStatistics(const std::vector<ParameterSpec>& layout)
{
    std::size_t numbers = 0;
    for (const ParameterSpec& spec : layout) {
        if (!isRunningStatistic(spec.name))
            continue;
        const auto count = static_cast<std::size_t>(spec.shape.elementCount());
        m_ranges.push_back({spec.offset, count});
        numbers += count;
    }
    m_sums.resize(numbers);
}

void RunningStatistics::clear()
{
    std::ranges::fill(m_sums, 0.0);
    m_parts = 0;
}

void RunningStatistics::take(std::span<float> gradients)
{
    auto sum = m_sums.begin();
    for (const Range& range : m_ranges) {
        for (float& value : gradients.subspan(range.begin, range.count)) {
            *sum++ += double{value};
            value = 0.0F;
        }
    }
    ++m_parts;
}

void RunningStatistics::update(std::span<float> parameters) const
{
    auto sum = m_sums.begin();
    for (const Range& range : m_ranges) {
        for (float& value : parameters.subspan(range.begin, range.count)) {
            const double batch = *sum++ / static_cast<double>(m_parts);
            value = static_cast<float>((1.0 - kMomentum) * double{value} + kMomentum * batch);
        }
    }
}

} // namespace headscope
