#include "core/analysis/scores/distance_profile.h"

#include "core/analysis/scores/undefined.h"
#include "core/base/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

/// Ranges of one side, by ascending absolute distance.
std::vector<DistanceRange> doubling(std::int64_t furthest)
{
    std::vector<DistanceRange> runs;
    for (std::int64_t begin = 1; begin <= furthest; begin *= 2)
        runs.push_back({begin, std::min(2 * begin, furthest + 1)});
    return runs;
}

} // namespace

DistanceProfile::DistanceProfile(TensorView pattern, const std::vector<int>& without)
{
    if (pattern.shape.rank() != 2)
        throw ShapeError(fmt::format("a pattern of shape {}", pattern.shape.toString()),
                         "DistanceProfile", "Give [n, m]");
    const std::int64_t queries = pattern.shape[0];
    const std::int64_t keys = pattern.shape[1];
    if (!without.empty() && (without.front() < 0 || without.back() >= queries))
        throw ShapeError("a query outside the pattern", "DistanceProfile");
    if (queries == 0 || keys == 0)
        return;
    m_ahead = keys - 1;
    m_sums.assign(static_cast<std::size_t>(queries + keys - 1), 0.0);
    m_counts.assign(m_sums.size(), 0);
    for (std::int64_t query = 0; query < queries; ++query) {
        if (std::binary_search(without.begin(), without.end(), query))
            continue;
        const float* row = &pattern(query, 0);
        double* sums = m_sums.data() + query + m_ahead;
        std::int64_t* counts = m_counts.data() + query + m_ahead;
        for (std::int64_t key = 0; key < keys; ++key) {
            sums[-key] += static_cast<double>(row[key]);
            ++counts[-key];
        }
    }
}

std::int64_t DistanceProfile::queriesAt(std::int64_t distance) const
{
    const std::int64_t place = distance + m_ahead;
    const bool known = place >= 0 && place < static_cast<std::int64_t>(m_counts.size());
    return known ? m_counts[static_cast<std::size_t>(place)] : 0;
}

double DistanceProfile::at(std::int64_t distance) const
{
    return over({distance, distance + 1});
}

double DistanceProfile::over(DistanceRange distances) const
{
    double sum = 0.0;
    std::int64_t pairs = 0;
    for (std::int64_t distance = distances.begin; distance < distances.end; ++distance) {
        const std::int64_t queries = queriesAt(distance);
        if (queries == 0)
            continue;
        sum += m_sums[static_cast<std::size_t>(distance + m_ahead)];
        pairs += queries;
    }
    return pairs > 0 ? sum / static_cast<double>(pairs) : kUndefined;
}

std::vector<DistanceRange> logDistances(DistanceRange range)
{
    std::vector<DistanceRange> runs;
    const std::vector<DistanceRange> ahead = doubling(-range.begin);
    for (auto run = ahead.rbegin(); run != ahead.rend(); ++run)
        runs.push_back({1 - run->end, 1 - run->begin});
    if (range.begin <= 0 && range.end > 0)
        runs.push_back({0, 1});
    const std::vector<DistanceRange> behind = doubling(range.end - 1);
    runs.insert(runs.end(), behind.begin(), behind.end());
    return runs;
}

std::vector<DistanceRange> allDistances(DistanceRange range)
{
    std::vector<DistanceRange> runs;
    for (std::int64_t distance = range.begin; distance < range.end; ++distance)
        runs.push_back({distance, distance + 1});
    return runs;
}

} // namespace headscope
