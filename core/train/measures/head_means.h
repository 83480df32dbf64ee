#pragma once

#include "core/tensor/tensor.h"
#include "core/train/measures/task_evaluation.h"

#include <string>
#include <vector>

namespace headscope {

using HeadTable = std::vector<std::vector<double>>; ///< Values by [layer][head].

/// Calls score(pattern of one head) for every head of every layer.
template<class Score>
HeadTable scoreHeads(const std::vector<Tensor>& patterns, Score score)
{
    HeadTable table;
    for (const Tensor& pattern : patterns) {
        auto& heads = table.emplace_back();
        for (std::int64_t head = 0; head < pattern.shape()[0]; ++head)
            heads.push_back(score(pattern.view()[head]));
    }
    return table;
}

/// Means of values of the same shape, for heads of one attention kind.
class HeadMeans
{
public:
    explicit HeadMeans(AttentionKind attention = AttentionKind::Self) : m_attention(attention) {}

    void add(const HeadTable& table);

    bool empty() const { return m_count == 0; }

    HeadTable table() const;

    TaskEvaluation::BestHead best(const std::string& name) const;

private:
    AttentionKind m_attention;
    HeadTable m_sums;
    std::size_t m_count = 0;
};

} // namespace headscope
