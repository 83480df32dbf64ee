#include "core/train/measures/bleu.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace headscope {

namespace {

using Counts = std::map<std::vector<std::string>, std::int64_t>;

Counts countsOf(std::span<const std::string> tokens, std::size_t order)
{
    Counts counts;
    for (std::size_t i = 0; i + order <= tokens.size(); ++i) {
        const auto gram = tokens.subspan(i, order);
        ++counts[{gram.begin(), gram.end()}];
    }
    return counts;
}

} // namespace

void Bleu::add(std::span<const std::string> candidate, std::span<const std::string> reference)
{
    for (std::size_t order = 1; order <= kOrders; ++order) {
        const Counts wanted = countsOf(reference, order);
        for (const auto& [gram, count] : countsOf(candidate, order)) {
            m_totals[order - 1] += count;
            if (const auto found = wanted.find(gram); found != wanted.end())
                m_matches[order - 1] += std::min(count, found->second);
        }
    }
    m_referenceLength += static_cast<std::int64_t>(reference.size());
}

double Bleu::precision(std::size_t order) const
{
    return total(order) == 0
               ? 0.0
               : static_cast<double>(matches(order)) / static_cast<double>(total(order));
}

double Bleu::brevityPenalty() const
{
    if (candidateLength() >= m_referenceLength)
        return 1.0;
    if (candidateLength() == 0)
        return 0.0;
    return std::exp(1.0 - static_cast<double>(m_referenceLength) /
                              static_cast<double>(candidateLength()));
}

double Bleu::score() const
{
    double logarithms = 0.0;
    for (std::size_t order = 1; order <= kOrders; ++order) {
        if (matches(order) == 0)
            return 0.0;
        logarithms += std::log(precision(order));
    }
    return brevityPenalty() * std::exp(logarithms / static_cast<double>(kOrders));
}

} // namespace headscope
