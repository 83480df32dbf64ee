#include "core/analysis/pair_explanation.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

namespace headscope {

namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

std::vector<float> rowOf(const Tensor& heads, std::int64_t token, std::int64_t head)
{
    const TensorView row = heads.view()[token][head];
    return {row.data, row.data + row.shape[0]};
}

std::string maskOf(const Trace& trace)
{
    const nlohmann::json settings = nlohmann::json::parse(trace.info().settings, nullptr, false);
    if (!settings.is_object() || !settings.contains("mask") || !settings["mask"].is_string())
        return {};
    return settings["mask"].get<std::string>();
}

/// Tells which keys a query may see; asked for one row.
class Visibility
{
public:
    Visibility(const Trace& trace, AttentionCell cell)
        : m_scores(trace.find({Site::AttnScores, cell.layer}))
        , m_pattern(trace.find({Site::Pattern, cell.layer}))
        , m_mask(maskOf(trace))
        , m_cell(cell)
    {
        constexpr std::string_view window = "window:";
        if (m_mask.starts_with(window))
            m_window = std::atoll(m_mask.c_str() + window.size());
    }

    bool operator()(std::int64_t key) const
    {
        const auto [layer, head, query, unused] = m_cell;
        if (m_scores)
            return static_cast<double>(m_scores->view()(head, query, key)) != kMinusInfinity;
        if (m_mask == "none")
            return true;
        if (m_mask == "causal")
            return key <= query;
        if (m_window > 0)
            return key <= query && query - key < m_window;
        return m_pattern ? m_pattern->view()(head, query, key) > 0.0F : key <= query;
    }

private:
    std::shared_ptr<const Tensor> m_scores;
    std::shared_ptr<const Tensor> m_pattern;
    std::string m_mask;
    std::int64_t m_window = 0;
    AttentionCell m_cell;
};

/// Rotary positions: what the scores are made of are the turned vectors.
std::shared_ptr<const Tensor> turnedOr(const Trace& trace, Site turned, Site plain, int layer)
{
    const auto found = trace.find({turned, layer});
    return found ? found : trace.find({plain, layer});
}

void checkCell(const AttentionCell& cell, const Tensor& queries, const Tensor& keys)
{
    const Shape& q = queries.shape();
    const bool inside = cell.head >= 0 && cell.head < q[1] && cell.query >= 0 &&
                        cell.query < q[0] && cell.key >= 0 && cell.key < keys.shape()[0];
    if (!inside)
        throw ShapeError(fmt::format("head {}, query {}, key {} in queries {} and keys {}",
                                     cell.head, cell.query, cell.key, q.toString(),
                                     keys.shape().toString()),
                         "explainPair");
}

} // namespace

std::optional<PairExplanation> explainPair(const Trace& trace, AttentionCell cell)
{
    const auto queries = turnedOr(trace, Site::RotatedQuery, Site::Query, cell.layer);
    const auto keys = turnedOr(trace, Site::RotatedKey, Site::Key, cell.layer);
    if (!queries || !keys)
        return std::nullopt;
    checkCell(cell, *queries, *keys);
    const std::int64_t keyHead = cell.head * keys->shape()[1] / queries->shape()[1];
    PairExplanation pair;
    pair.queryVector = rowOf(*queries, cell.query, cell.head);
    pair.scale = 1.0 / std::sqrt(static_cast<double>(pair.queryVector.size()));

    const Visibility isVisible(trace, cell);
    std::vector<double> scores(static_cast<std::size_t>(keys->shape()[0]), kMinusInfinity);
    for (std::int64_t key = 0; key < keys->shape()[0]; ++key) {
        const std::vector<float> vector = rowOf(*keys, key, keyHead);
        std::vector<double> products(vector.size());
        std::transform(
            vector.begin(), vector.end(), pair.queryVector.begin(), products.begin(),
            [](float k, float q) { return static_cast<double>(k) * static_cast<double>(q); });
        const double dot = std::accumulate(products.begin(), products.end(), 0.0);
        if (isVisible(key))
            scores[static_cast<std::size_t>(key)] = pair.scale * dot;
        if (key != cell.key)
            continue;
        pair.keyVector = vector;
        pair.products = products;
        pair.dot = dot;
        pair.score = pair.scale * dot;
        pair.masked = !isVisible(key);
    }
    pair.largest = *std::max_element(scores.begin(), scores.end());
    if (pair.largest != kMinusInfinity)
        for (const double score : scores)
            pair.sum += std::exp(score - pair.largest);
    if (!pair.masked) {
        pair.exponential = std::exp(pair.score - pair.largest);
        pair.weight = pair.exponential / pair.sum;
    }
    if (const auto pattern = trace.find({Site::Pattern, cell.layer}))
        pair.recordedWeight = static_cast<double>(pattern->view()(cell.head, cell.query, cell.key));
    return pair;
}

} // namespace headscope
