#include "core/analysis/derivation/pair_explanation.h"

#include "core/base/error.h"
#include "core/trace/pattern_row.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace headscope {

namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

std::vector<float> rowOf(TensorView heads, std::int64_t token, std::int64_t head)
{
    const TensorView row = heads[token][head];
    return {row.data, row.data + row.shape[0]};
}

/// Vectors that scores are computed from: with rotary positions the rotated ones.
TraceKey turnedOr(const Trace& trace, Site turned, Site plain, AttentionCell cell)
{
    const TraceKey key{turned, cell.layer, cell.stack};
    return trace.has(key) ? key : TraceKey{plain, cell.layer, cell.stack};
}

TraceKey queriesOf(const Trace& trace, AttentionCell cell)
{
    if (cell.cross)
        return {Site::CrossQuery, cell.layer, cell.stack};
    return turnedOr(trace, Site::RotatedQuery, Site::Query, cell);
}

TraceKey keysOf(const Trace& trace, AttentionCell cell)
{
    if (cell.cross)
        return {Site::CrossKey, cell.layer, cell.stack};
    return turnedOr(trace, Site::RotatedKey, Site::Key, cell);
}

void checkCell(const AttentionCell& cell, const Shape& q, const Shape& k)
{
    const bool inside = cell.head >= 0 && cell.head < q[1] && cell.query >= 0 &&
                        cell.query < q[0] && cell.key >= 0 && cell.key < k[0];
    if (!inside)
        throw ShapeError(fmt::format("head {}, query {}, key {} in queries {} and keys {}",
                                     cell.head, cell.query, cell.key, q.toString(), k.toString()),
                         "explainPair");
}

std::vector<double> productsOf(const std::vector<float>& query, const std::vector<float>& key)
{
    std::vector<double> products(key.size());
    std::transform(query.begin(), query.end(), key.begin(), products.begin(), [](float q, float k) {
        return static_cast<double>(q) * static_cast<double>(k);
    });
    return products;
}

ScoreSteps stepsTo(const RowExplanation& row, std::int64_t query, std::int64_t key)
{
    const std::vector<double> products =
        productsOf(row.query, row.keys[static_cast<std::size_t>(key)]);
    ScoreSteps steps;
    steps.dot = std::accumulate(products.begin(), products.end(), 0.0);
    steps.scaled = row.rule.scale * steps.dot;
    steps.capped = row.rule.capped(steps.scaled);
    steps.bias = row.rule.biasAt(query, key);
    steps.score = steps.capped + steps.bias;
    return steps;
}

/// Applies softmax to the visible scores and the sink.
void normalise(RowExplanation& row)
{
    row.largest = row.rule.sink.value_or(kMinusInfinity);
    for (const ScoreSteps& step : row.steps)
        row.largest = step.masked ? row.largest : std::max(row.largest, step.score);
    if (row.rule.sink)
        row.sum = std::exp(*row.rule.sink - row.largest);
    for (ScoreSteps& step : row.steps) {
        step.exponential = step.masked ? 0.0 : std::exp(step.score - row.largest);
        row.sum += step.exponential;
    }
    for (ScoreSteps& step : row.steps)
        step.weight = step.masked ? 0.0 : step.exponential / row.sum;
}

} // namespace

std::optional<RowExplanation> explainRow(const Trace& trace, AttentionCell cell, const Model* model)
{
    const TraceKey queryKey = queriesOf(trace, cell);
    const auto queries = trace.shapeOf(queryKey);
    const auto keys = trace.find(keysOf(trace, cell));
    if (!queries || !keys)
        return std::nullopt;
    checkCell(cell, *queries, keys->shape());
    const std::int64_t count = keys->shape()[0];
    const std::int64_t keyHead = cell.head * keys->shape()[1] / (*queries)[1];
    RowExplanation row;
    row.query = rowOf(trace.findRows(queryKey, cell.query).view, 0, cell.head);
    row.rule = scoreRule(trace, cell, (*queries)[2], model);
    const std::vector<bool> visible = visibleKeys(trace, cell, count, model);
    const Site patternSite = cell.cross ? Site::CrossPattern : Site::Pattern;
    const std::vector<float> weights =
        patternRow(trace, {patternSite, cell.layer, cell.stack}, cell.head, cell.query);
    for (std::int64_t key = 0; key < count; ++key) {
        row.keys.push_back(rowOf(keys->view(), key, keyHead));
        row.steps.push_back(stepsTo(row, cell.query, key));
        row.steps.back().masked = !visible[static_cast<std::size_t>(key)];
        if (!weights.empty())
            row.steps.back().recorded = weights[static_cast<std::size_t>(key)];
    }
    normalise(row);
    return row;
}

bool PairExplanation::isReplaced(double tolerance) const
{
    return recordedWeight && std::abs(*recordedWeight - weight) > tolerance;
}

PairExplanation explainPair(const RowExplanation& row, std::int64_t key)
{
    const auto at = static_cast<std::size_t>(key);
    const ScoreSteps& steps = row.steps[at];
    PairExplanation pair;
    pair.queryVector = row.query;
    pair.keyVector = row.keys[at];
    pair.products = productsOf(row.query, row.keys[at]);
    pair.dot = steps.dot;
    pair.scale = row.rule.scale;
    pair.scaled = steps.scaled;
    pair.capped = steps.capped;
    pair.bias = steps.bias;
    pair.score = steps.score;
    pair.masked = steps.masked;
    pair.largest = row.largest;
    pair.exponential = steps.exponential;
    pair.sum = row.sum;
    pair.weight = steps.weight;
    pair.recordedWeight = steps.recorded;
    pair.rule = row.rule;
    return pair;
}

std::optional<PairExplanation> explainPair(const Trace& trace, AttentionCell cell,
                                           const Model* model)
{
    const std::optional<RowExplanation> row = explainRow(trace, cell, model);
    return row ? std::optional(explainPair(*row, cell.key)) : std::nullopt;
}

} // namespace headscope
