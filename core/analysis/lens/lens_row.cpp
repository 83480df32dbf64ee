#include "core/analysis/lens/lens_row.h"

#include "core/analysis/lens/next_token.h"
#include "core/analysis/scores/undefined.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope {

namespace {

std::span<const float> valuesOf(TensorView logits)
{
    return {logits.data, static_cast<std::size_t>(logits.shape[0])};
}

} // namespace

LensRow::LensRow(TensorView logits) : m_logits(logits), m_usable(areUsable(valuesOf(logits)))
{
    if (!m_usable) {
        m_logSum = m_entropy = kUndefined;
        return;
    }
    const auto values = valuesOf(logits);
    const double largest = double{*std::ranges::max_element(values)};
    double sum = 0.0;
    double weighted = 0.0; // weighted by the distance below the largest
    for (const float value : values) {
        const double below = double{value} - largest;
        const double weight = std::exp(below);
        sum += weight;
        weighted += weight > 0.0 ? weight * below : 0.0;
    }
    m_logSum = largest + std::log(sum);
    m_entropy = std::max(std::log(sum) - weighted / sum, 0.0);
}

double LensRow::logProbability(TokenId id) const
{
    return m_usable ? double{m_logits(static_cast<std::int64_t>(id))} - m_logSum : kUndefined;
}

std::int64_t LensRow::rank(TokenId id) const
{
    if (!m_usable)
        return 0;
    const auto values = valuesOf(m_logits);
    const float own = values[id];
    return 1 + std::ranges::count_if(values, [own](float value) { return value > own; });
}

void LensRow::top(std::span<TokenId> ids, std::span<float> probabilities) const
{
    const auto values = valuesOf(m_logits);
    const auto precedes = [&](TokenId a, TokenId b) {
        return values[a] != values[b] ? values[a] > values[b] : a < b;
    };
    std::size_t found = 0;
    for (std::size_t i = 0; m_usable && i < values.size(); ++i) {
        const auto id = static_cast<TokenId>(i);
        if (found == ids.size() && !precedes(id, ids.back()))
            continue;
        found = std::min(found + 1, ids.size());
        auto place = ids.begin() + static_cast<std::ptrdiff_t>(found) - 1;
        for (; place != ids.begin() && precedes(id, *(place - 1)); --place)
            *place = *(place - 1);
        *place = id;
    }
    for (std::size_t i = 0; i < ids.size(); ++i)
        probabilities[i] = m_usable ? static_cast<float>(std::exp(logProbability(ids[i])))
                                    : std::numeric_limits<float>::quiet_NaN();
}

double divergence(const LensRow& p, const LensRow& q)
{
    if (!p.m_usable || !q.m_usable)
        return kUndefined;
    double sum = 0.0;
    for (std::int64_t id = 0; id < p.m_logits.shape[0]; ++id) {
        const double logP = double{p.m_logits(id)} - p.m_logSum;
        const double weight = std::exp(logP);
        if (weight > 0.0)
            sum += weight * (logP - (double{q.m_logits(id)} - q.m_logSum));
    }
    return std::max(sum, 0.0);
}

std::vector<LensRow> lensRows(TensorView logits)
{
    std::vector<LensRow> rows;
    for (std::int64_t row = 0; row < logits.shape[0]; ++row)
        rows.emplace_back(logits[row]);
    return rows;
}

} // namespace headscope
