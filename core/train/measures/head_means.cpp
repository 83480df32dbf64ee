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

HeadTable HeadMeans::table() const
{
    HeadTable means = m_sums;
    for (auto& layer : means)
        for (double& value : layer)
            value /= static_cast<double>(m_count);
    return means;
}

TaskEvaluation::BestHead HeadMeans::best(const std::string& name) const
{
    const HeadTable means = table();
    TaskEvaluation::BestHead result{name, {}, -1.0};
    for (std::size_t layer = 0; layer < means.size(); ++layer) {
        for (std::size_t head = 0; head < means[layer].size(); ++head) {
            if (means[layer][head] > result.score)
                result = {name,
                          {m_attention, static_cast<int>(layer), static_cast<int>(head)},
                          means[layer][head]};
        }
    }
    return result;
}

} // namespace headscope
