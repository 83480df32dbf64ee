#include "core/analysis/difference/pattern_divergence.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope {

namespace {

/// One key's terms: half of p log2(p / m) + q log2(q / m), where m = (p + q) / 2.
double keyTerm(double p, double q)
{
    if (p == q)
        return 0.0;
    const double middle = 0.5 * (p + q);
    const double ofP = p > 0.0 ? p * std::log2(p / middle) : 0.0;
    const double ofQ = q > 0.0 ? q * std::log2(q / middle) : 0.0;
    return 0.5 * (ofP + ofQ);
}

double sumOf(std::span<const float> row)
{
    return std::accumulate(row.begin(), row.end(), 0.0);
}

std::span<const float> rowOf(TensorView pattern, std::int64_t query)
{
    return {&pattern(query, 0), static_cast<std::size_t>(pattern.shape[1])};
}

} // namespace

double rowDivergence(std::span<const float> p, std::span<const float> q)
{
    const double sumP = sumOf(p);
    const double sumQ = sumOf(q);
    if (std::isnan(sumP) || std::isnan(sumQ))
        return NAN;
    const double ofP = std::max(sumP, 1.0);
    const double ofQ = std::max(sumQ, 1.0);
    double divergence = keyTerm(std::max(1.0 - sumP, 0.0), std::max(1.0 - sumQ, 0.0));
    for (std::size_t key = 0; key < p.size(); ++key)
        divergence += keyTerm(double{p[key]} / ofP, double{q[key]} / ofQ);
    return std::clamp(divergence, 0.0, 1.0);
}

PatternDivergence patternDivergence(TensorView a, TensorView b)
{
    if (a.shape != b.shape || a.shape.rank() != 2)
        throw ShapeError(a.shape.toString() + " and " + b.shape.toString(), "pattern divergence");
    PatternDivergence result;
    const std::int64_t queries = a.shape[1] == 0 ? 0 : a.shape[0];
    for (std::int64_t query = 0; query < queries; ++query) {
        const double row = rowDivergence(rowOf(a, query), rowOf(b, query));
        result.mean += row / static_cast<double>(queries);
        if (row > result.largest) {
            result.largest = row;
            result.query = static_cast<int>(query);
        }
    }
    return result;
}

} // namespace headscope
