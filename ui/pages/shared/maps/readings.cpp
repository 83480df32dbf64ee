#include "ui/pages/shared/maps/readings.h"

#include "core/analysis/scores/score_rule.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::ui {

namespace {

double dotProduct(const float* a, const float* b, std::int64_t size)
{
    return std::inner_product(a, a + size, b, 0.0, std::plus<>(),
                              [](float x, float y) { return double{x} * double{y}; });
}

} // namespace

HeatmapMatrix patternOf(const HeadReading& reading)
{
    return patternOf(reading.trace, {reading.part, reading.layer, reading.head});
}

std::vector<float> scoreMatrix(const HeadReading& reading, const Model* model)
{
    const bool cross = reading.part == AttentionKind::Cross;
    const auto find = [&](Site site) {
        return reading.trace.find({site, reading.layer, stackOf(reading.part)});
    };
    const auto turned = find(Site::RotatedQuery);
    const auto queries = cross    ? find(Site::CrossQuery) // Queries [n, h, d_k].
                         : turned ? turned
                                  : find(Site::Query);
    const auto keys = cross    ? find(Site::CrossKey) // Keys [m, h_kv, d_k].
                      : turned ? find(Site::RotatedKey)
                               : find(Site::Key);
    std::vector<float> scores;
    if (!queries || !keys)
        return scores;
    const std::int64_t size = queries->shape()[2];
    const std::int64_t keyHead = reading.head * keys->shape()[1] / queries->shape()[1];
    const AttentionCell cell{reading.layer, reading.head, 0, 0, stackOf(reading.part), cross};
    const ScoreRule rule = scoreRule(reading.trace, cell, size, model);
    for (std::int64_t query = 0; query < queries->shape()[0]; ++query) {
        const float* q = queries->view()[query][reading.head].data;
        for (std::int64_t key = 0; key < keys->shape()[0]; ++key) {
            const double dot = dotProduct(q, keys->view()[key][keyHead].data, size);
            scores.push_back(
                static_cast<float>(rule.capped(dot * rule.scale) + rule.biasAt(query, key)));
        }
    }
    return scores;
}

std::vector<float> valueWeighted(const HeadReading& reading)
{
    const HeatmapMatrix pattern = patternOf(reading);
    const Site site = reading.part == AttentionKind::Cross ? Site::CrossValue : Site::Value;
    const auto values = // Values [m, h_kv, d_k].
        reading.trace.find({site, reading.layer, stackOf(reading.part)});
    std::vector<float> weighted;
    if (pattern.isEmpty() || !values)
        return weighted;
    const std::int64_t valueHead =
        reading.head * values->shape()[1] / std::max(reading.trace.headCount(reading.part), 1);
    std::vector<double> lengths;
    for (int key = 0; key < pattern.columns; ++key) {
        const float* value = values->view()[key][valueHead].data;
        lengths.push_back(std::sqrt(dotProduct(value, value, values->shape()[2])));
    }
    for (int query = 0; query < pattern.rows; ++query)
        for (int key = 0; key < pattern.columns; ++key)
            weighted.push_back(static_cast<float>(pattern.at({query, key}) *
                                                  lengths[static_cast<std::size_t>(key)]));
    return weighted;
}

double probabilityOf(const Trace& trace, int position, TokenId id)
{
    const TraceKey key{Site::Logits, 0};
    const auto shape = trace.shapeOf(key);
    if (!shape || position < 0 || position >= (*shape)[0] || id >= (*shape)[1])
        return 0.0;
    const ActivationRows logits = trace.findRows(key, position);
    const std::span<const float> row = logits[0];
    const double largest = *std::ranges::max_element(row);
    const double total =
        std::accumulate(row.begin(), row.end(), 0.0, [largest](double sum, float logit) {
            return sum + std::exp(double{logit} - largest);
        });
    return std::exp(double{row[static_cast<std::size_t>(id)]} - largest) / total;
}

} // namespace headscope::ui
