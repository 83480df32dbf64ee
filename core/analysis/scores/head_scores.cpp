#include "core/analysis/scores/head_scores.h"

#include "core/base/error.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace headscope {

namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

std::int64_t tokensOf(TensorView pattern)
{
    if (pattern.shape.rank() != 2 || pattern.shape[0] != pattern.shape[1])
        throw ShapeError(fmt::format("a pattern of shape {}", pattern.shape.toString()),
                         "head scores", "Give [n, n]");
    return pattern.shape[0];
}

std::int64_t tokensOf(TensorView pattern, std::span<const TokenId> ids)
{
    const std::int64_t tokens = tokensOf(pattern);
    if (tokens != static_cast<std::int64_t>(ids.size()))
        throw ShapeError(fmt::format("{} ids for a pattern of {} tokens", ids.size(), tokens),
                         "head scores");
    return tokens;
}

double at(TensorView pattern, std::int64_t query, std::int64_t key)
{
    return static_cast<double>(pattern(query, key));
}

TokenId idAt(std::span<const TokenId> ids, std::int64_t position)
{
    return ids[static_cast<std::size_t>(position)];
}

/// Mean of term(i) over first <= i < end.
template<class Term>
double meanOver(std::int64_t first, std::int64_t end, const Term& term)
{
    double sum = 0.0;
    for (std::int64_t i = first; i < end; ++i)
        sum += term(i);
    return first < end ? sum / static_cast<double>(end - first) : kUndefined;
}

/// sum(A P) / sum(A).
template<class Ideal>
double fraction(TensorView pattern, const Ideal& ideal)
{
    const std::int64_t tokens = tokensOf(pattern);
    double onIdeal = 0.0;
    double all = 0.0;
    for (std::int64_t query = 0; query < tokens; ++query)
        for (std::int64_t key = 0; key < tokens; ++key) {
            all += at(pattern, query, key);
            if (ideal(query, key))
                onIdeal += at(pattern, query, key);
        }
    return all > 0.0 ? onIdeal / all : kUndefined;
}

bool isInductionTarget(std::span<const TokenId> ids, std::int64_t query, std::int64_t key)
{
    return key >= 1 && key <= query && idAt(ids, key - 1) == idAt(ids, query);
}

double secondCopyStripe(TensorView pattern, std::int64_t period, std::int64_t prefix,
                        std::int64_t lag)
{
    const std::int64_t tokens = tokensOf(pattern);
    if (period < 1 || prefix < 0 || prefix + 2 * period > tokens)
        throw ShapeError(fmt::format("two copies of {} tokens after {} in a pattern of {}", period,
                                     prefix, tokens),
                         "head scores");
    return meanOver(prefix + period, prefix + 2 * period,
                    [&](std::int64_t i) { return at(pattern, i, i - lag); });
}

} // namespace

std::vector<double> entropyRows(TensorView pattern)
{
    std::vector<double> rows;
    const std::int64_t tokens = tokensOf(pattern);
    for (std::int64_t query = 0; query < tokens; ++query) {
        double entropy = 0.0;
        for (std::int64_t key = 0; key < tokens; ++key) {
            const double weight = at(pattern, query, key);
            if (weight > 0.0)
                entropy -= weight * std::log(weight);
        }
        rows.push_back(entropy);
    }
    return rows;
}

double meanEntropy(TensorView pattern)
{
    const std::vector<double> rows = entropyRows(pattern);
    return meanOver(0, tokensOf(pattern),
                    [&](std::int64_t i) { return rows[static_cast<std::size_t>(i)]; });
}

double normalisedEntropy(TensorView pattern)
{
    const std::vector<double> rows = entropyRows(pattern);
    return meanOver(1, tokensOf(pattern), [&](std::int64_t i) {
        return rows[static_cast<std::size_t>(i)] / std::log(static_cast<double>(i + 1));
    });
}

double stripeScore(TensorView pattern, std::int64_t lag, std::int64_t firstQuery)
{
    if (lag < 0 || firstQuery < lag)
        throw ShapeError(fmt::format("a stripe {} back from query {}", lag, firstQuery),
                         "head scores");
    return meanOver(firstQuery, tokensOf(pattern),
                    [&](std::int64_t i) { return at(pattern, i, i - lag); });
}

double previousTokenScore(TensorView pattern)
{
    return stripeScore(pattern, 1, 1);
}

double selfScore(TensorView pattern)
{
    return stripeScore(pattern, 0, 0);
}

double firstTokenMass(TensorView pattern)
{
    return meanOver(1, tokensOf(pattern), [&](std::int64_t i) { return at(pattern, i, 0); });
}

double previousTokenFraction(TensorView pattern)
{
    return fraction(pattern, [](std::int64_t query, std::int64_t key) { return key == query - 1; });
}

double duplicateTokenFraction(TensorView pattern, std::span<const TokenId> ids)
{
    tokensOf(pattern, ids);
    return fraction(pattern, [&](std::int64_t query, std::int64_t key) {
        return key < query && idAt(ids, key) == idAt(ids, query);
    });
}

double inductionFraction(TensorView pattern, std::span<const TokenId> ids)
{
    tokensOf(pattern, ids);
    return fraction(pattern, [&](std::int64_t query, std::int64_t key) {
        return isInductionTarget(ids, query, key);
    });
}

double inductionMatch(TensorView pattern, std::span<const TokenId> ids)
{
    const std::int64_t tokens = tokensOf(pattern, ids);
    double distance = 0.0;
    for (std::int64_t query = 0; query < tokens; ++query)
        for (std::int64_t key = 0; key < tokens; ++key)
            distance += std::abs(at(pattern, query, key) -
                                 (isInductionTarget(ids, query, key) ? 1.0 : 0.0));
    return tokens > 0 ? 1.0 - distance / static_cast<double>(tokens) : kUndefined;
}

double inductionOnText(TensorView pattern, std::span<const TokenId> ids, double threshold)
{
    const std::int64_t tokens = tokensOf(pattern, ids);
    double sum = 0.0;
    std::int64_t queries = 0;
    for (std::int64_t query = 0; query < tokens; ++query) {
        bool repeated = false;
        for (std::int64_t earlier = 0; earlier < query; ++earlier) {
            if (idAt(ids, earlier) != idAt(ids, query))
                continue;
            repeated = true;
            const double weight = at(pattern, query, earlier + 1);
            sum += weight < threshold ? 0.0 : weight;
        }
        queries += repeated ? 1 : 0;
    }
    return queries > 0 ? sum / static_cast<double>(queries) : kUndefined;
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
    for (std::int64_t query = 0; query < tokens; ++query)
        for (std::int64_t key = 0; key < tokens; ++key) {
            const double weight = at(pattern, query, key);
            const auto distance = static_cast<double>(std::abs(query - key));
            mass += weight;
            first += weight * distance;
            second += weight * distance * distance;
        }
    if (mass <= 0.0)
        return {kUndefined, kUndefined};
    const double mean = first / mass;
    return {mean, std::max(0.0, second / mass - mean * mean)};
}

HeadScores headScores(TensorView pattern, std::span<const TokenId> ids)
{
    HeadScores scores;
    scores.entropy = meanEntropy(pattern);
    scores.entropyNormalised = normalisedEntropy(pattern);
    scores.previousToken = previousTokenScore(pattern);
    scores.previousTokenFraction = previousTokenFraction(pattern);
    scores.self = selfScore(pattern);
    scores.firstToken = firstTokenMass(pattern);
    scores.duplicateToken = duplicateTokenFraction(pattern, ids);
    scores.induction = inductionFraction(pattern, ids);
    scores.inductionOnText = inductionOnText(pattern, ids);
    scores.distance = meanDistance(pattern).mean;
    return scores;
}

std::vector<std::vector<HeadScores>> headScores(const Trace& trace, const std::stop_token& stop)
{
    const std::vector<TokenId> ids = trace.tokens().ids();
    std::vector<std::vector<HeadScores>> layers(static_cast<std::size_t>(trace.layerCount()));
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        const auto pattern = trace.find({Site::Pattern, static_cast<int>(layer)});
        if (!pattern)
            continue;
        layers[layer].resize(static_cast<std::size_t>(pattern->shape()[0]));
        parallelFor(layers[layer].size(), std::min(layers[layer].size(), workerCount()),
                    [&](std::size_t begin, std::size_t end, std::size_t) {
                        for (std::size_t head = begin; head < end; ++head) {
                            if (stop.stop_requested())
                                throw Cancelled();
                            layers[layer][head] =
                                headScores(pattern->view()[static_cast<std::int64_t>(head)], ids);
                        }
                    });
    }
    return layers;
}

double sinkRate(const Trace& trace, std::int64_t key, double epsilon)
{
    double sinks = 0.0;
    double heads = 0.0;
    for (const TraceKey traceKey : trace.patternKeys()) {
        if (traceKey.site != Site::Pattern)
            continue;
        const auto pattern = trace.find(traceKey);
        for (std::int64_t head = 0; head < pattern->shape()[0]; ++head) {
            const TensorView view = pattern->view()[head];
            const double mass =
                meanOver(key, tokensOf(view), [&](std::int64_t i) { return at(view, i, key); });
            sinks += mass > epsilon ? 1.0 : 0.0;
            heads += 1.0;
        }
    }
    return heads > 0.0 ? sinks / heads : kUndefined;
}

} // namespace headscope
