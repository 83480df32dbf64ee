#include "core/analysis/report/rank_correlation.h"

#include "core/analysis/scores/undefined.h"
#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace headscope {

namespace {

/// Ranks from 0; ties have their mean rank.
std::vector<double> ranksOf(const std::vector<double>& values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin;
        while (end < order.size() && values[order[end]] == values[order[begin]])
            ++end;
        for (std::size_t place = begin; place < end; ++place)
            ranks[order[place]] = 0.5 * static_cast<double>(begin + end - 1);
        begin = end;
    }
    return ranks;
}

} // namespace

double rankCorrelation(std::span<const double> first, std::span<const double> second)
{
    if (first.size() != second.size())
        throw ShapeError("expected the same number of values on both sides", "rankCorrelation");
    std::vector<double> a, b;
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (std::isnan(first[i]) || std::isnan(second[i]))
            continue;
        a.push_back(first[i]);
        b.push_back(second[i]);
    }
    if (a.size() < 3)
        return kUndefined;
    a = ranksOf(a);
    b = ranksOf(b);
    const double middle = 0.5 * static_cast<double>(a.size() - 1);
    double product = 0.0;
    double squaresA = 0.0;
    double squaresB = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        product += (a[i] - middle) * (b[i] - middle);
        squaresA += (a[i] - middle) * (a[i] - middle);
        squaresB += (b[i] - middle) * (b[i] - middle);
    }
    if (squaresA == 0.0 || squaresB == 0.0)
        return kUndefined;
    return product / std::sqrt(squaresA * squaresB);
}

} // namespace headscope
