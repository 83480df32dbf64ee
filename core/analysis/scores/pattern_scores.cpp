#include "core/analysis/scores/pattern_scores.h"

#include "core/analysis/scores/undefined.h"
#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace headscope {

namespace {

std::int64_t tokensOf(TensorView pattern)
{
    if (pattern.shape.rank() != 2 || pattern.shape[0] != pattern.shape[1])
        throw ShapeError(fmt::format("a pattern of shape {}", pattern.shape.toString()),
                         "pattern scores", "Give [n, n]");
    return pattern.shape[0];
}

/// Mean of A[i, key(i)] over first <= i < end.
template<class Key>
double meanOver(TensorView pattern, std::int64_t first, std::int64_t end, const Key& key)
{
    double sum = 0.0;
    for (std::int64_t i = first; i < end; ++i)
        sum += static_cast<double>(pattern(i, key(i)));
    return first < end ? sum / static_cast<double>(end - first) : kUndefined;
}

/// Mean of A[i, i - lag] over the queries from `firstQuery` to before `end`.
double stripe(TensorView pattern, std::int64_t lag, std::int64_t firstQuery, std::int64_t end)
{
    return meanOver(pattern, firstQuery, end, [lag](std::int64_t i) { return i - lag; });
}

double secondCopyStripe(TensorView pattern, std::int64_t period, std::int64_t prefix,
                        std::int64_t lag)
{
    const std::int64_t tokens = tokensOf(pattern);
    if (period < 1 || prefix < 0 || prefix + 2 * period > tokens)
        throw ShapeError(fmt::format("two copies of {} tokens after {} in a pattern of {}", period,
                                     prefix, tokens),
                         "pattern scores");
    return stripe(pattern, lag, prefix + period, prefix + 2 * period);
}

struct RowEntropy
{
    double nats = 0.0;
    std::int64_t attended = 0; ///< 1 + the last key with weight.
};

/// Entropy of one row. Zeros add nothing, so masked cells cost only a comparison.
RowEntropy entropyOfRow(const float* row, std::int64_t keys)
{
    RowEntropy entropy;
    for (std::int64_t key = 0; key < keys; ++key) {
        const double weight = row[key];
        if (weight <= 0.0)
            continue;
        entropy.nats -= weight * std::log(weight);
        entropy.attended = key + 1;
    }
    return entropy;
}

} // namespace

PatternEntropy entropyOf(TensorView pattern, bool seesAhead)
{
    const std::int64_t queries = pattern.shape[0];
    double sum = 0.0;
    double normalised = 0.0;
    double choosing = 0.0; // Number of rows with more than one key.
    for (std::int64_t query = 0; query < queries; ++query) {
        const RowEntropy entropy = entropyOfRow(&pattern(query, 0), pattern.shape[1]);
        const std::int64_t keys =
            seesAhead ? pattern.shape[1] : std::max(query + 1, entropy.attended);
        sum += entropy.nats;
        if (keys < 2)
            continue;
        normalised += entropy.nats / std::log(static_cast<double>(keys));
        choosing += 1.0;
    }
    return {queries > 0 ? sum / static_cast<double>(queries) : kUndefined,
            choosing > 0.0 ? normalised / choosing : kUndefined};
}

double previousTokenScore(TensorView pattern)
{
    return stripe(pattern, 1, 1, tokensOf(pattern));
}

double selfScore(TensorView pattern)
{
    return stripe(pattern, 0, 0, tokensOf(pattern));
}

double firstTokenMass(TensorView pattern)
{
    return meanOver(pattern, 1, tokensOf(pattern), [](std::int64_t) { return 0; });
}

double sinkMass(TensorView pattern)
{
    return meanOver(pattern, 0, pattern.shape[0], [](std::int64_t) { return 0; });
}

double inductionStripe(TensorView pattern, std::int64_t period, std::int64_t prefix)
{
    return secondCopyStripe(pattern, period, prefix, period - 1);
}

double duplicateStripe(TensorView pattern, std::int64_t period, std::int64_t prefix)
{
    return secondCopyStripe(pattern, period, prefix, period);
}

Distance meanDistance(TensorView pattern)
{
    const std::int64_t tokens = tokensOf(pattern);
    double mass = 0.0;
    double first = 0.0;
    double second = 0.0;
    for (std::int64_t query = 0; query < tokens; ++query) {
        const float* row = &pattern(query, 0);
        for (std::int64_t key = 0; key < tokens; ++key) {
            const double weight = row[key];
            if (weight <= 0.0)
                continue;
            const auto distance = static_cast<double>(std::abs(query - key));
            mass += weight;
            first += weight * distance;
            second += weight * distance * distance;
        }
    }
    if (mass <= 0.0)
        return {kUndefined, kUndefined, mass};
    const double mean = first / mass;
    return {mean, std::max(0.0, second / mass - mean * mean), mass};
}

} // namespace headscope
