#include "core/train/measures/head_means.h"

namespace headscope {

void HeadMeans::add(const HeadTable& table)
{
    m_sums.resize(table.size());
    for (std::size_t layer = 0; layer < table.size(); ++layer) {
        m_sums[layer].resize(table[layer].size());
        for (std::size_t head = 0; head < table[layer].size(); ++head)
            m_sums[layer][head] += table[layer][head];
    }
    ++m_count;
}

TaskEvaluation::BestHead HeadMeans::best(const std::string& name) const
{
    TaskEvaluation::BestHead result{name, {}, -1.0};
    for (std::size_t layer = 0; layer < m_sums.size(); ++layer) {
        for (std::size_t head = 0; head < m_sums[layer].size(); ++head) {
            const double mean = m_sums[layer][head] / static_cast<double>(m_count);
            if (mean > result.score)
                result = {
                    name, {m_attention, static_cast<int>(layer), static_cast<int>(head)}, mean};
        }
    }
    return result;
}

} // namespace headscope
