#include "ui/views/readings.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace headscope::ui {

namespace {

double dotProduct(const float* a, const float* b, std::int64_t size)
{
    return std::inner_product(a, a + size, b, 0.0, std::plus<>(),
                              [](float x, float y) { return double{x} * double{y}; });
}

} // namespace

TensorView patternView(const HeadReading& reading)
{
    const auto pattern = reading.trace.find({Site::Pattern, reading.layer});
    return pattern ? pattern->view()[reading.head] : TensorView{};
}

std::vector<KeyWeight> strongestKeys(const HeadReading& reading, int query)
{
    const TensorView pattern = patternView(reading);
    std::vector<KeyWeight> keys;
    for (int key = 0; pattern && key < pattern.shape[1]; ++key)
        keys.push_back({key, pattern(query, key)});
    std::stable_sort(keys.begin(), keys.end(),
                     [](const KeyWeight& a, const KeyWeight& b) { return a.weight > b.weight; });
    return keys;
}

std::vector<float> scoreMatrix(const HeadReading& reading)
{
    const auto queries = reading.trace.find({Site::Query, reading.layer}); // [n, h, d_k]
    const auto keys = reading.trace.find({Site::Key, reading.layer});      // [n, h_kv, d_k]
    std::vector<float> scores;
    if (!queries || !keys)
        return scores;
    const std::int64_t size = queries->shape()[2];
    const std::int64_t keyHead = reading.head * keys->shape()[1] / queries->shape()[1];
    const double scale = 1.0 / std::sqrt(static_cast<double>(size));
    for (std::int64_t query = 0; query < queries->shape()[0]; ++query) {
        const float* q = queries->view()[query][reading.head].data;
        for (std::int64_t key = 0; key < keys->shape()[0]; ++key) {
            const double dot = dotProduct(q, keys->view()[key][keyHead].data, size);
            scores.push_back(static_cast<float>(dot * scale));
        }
    }
    return scores;
}

std::vector<float> valueWeighted(const HeadReading& reading)
{
    const TensorView pattern = patternView(reading);
    const auto values = reading.trace.find({Site::Value, reading.layer}); // [n, h_kv, d_k]
    std::vector<float> weighted;
    if (!pattern || !values)
        return weighted;
    const std::int64_t valueHead =
        reading.head * values->shape()[1] / std::max(reading.trace.headCount(), 1);
    std::vector<double> lengths;
    for (std::int64_t key = 0; key < pattern.shape[1]; ++key) {
        const float* value = values->view()[key][valueHead].data;
        lengths.push_back(std::sqrt(dotProduct(value, value, values->shape()[2])));
    }
    for (std::int64_t query = 0; query < pattern.shape[0]; ++query) {
        for (std::int64_t key = 0; key < pattern.shape[1]; ++key)
            weighted.push_back(
                static_cast<float>(pattern(query, key) * lengths[static_cast<std::size_t>(key)]));
    }
    return weighted;
}

double probabilityOf(const Trace& trace, int position, TokenId id)
{
    const auto logits = trace.find({Site::Logits, 0}); // [n, V]
    if (!logits || position < 0 || position >= logits->shape()[0] || id >= logits->shape()[1])
        return 0.0;
    const float* row = logits->view()[position].data;
    const float* end = row + logits->shape()[1];
    const double largest = *std::max_element(row, end);
    const double total = std::accumulate(row, end, 0.0, [largest](double sum, float logit) {
        return sum + std::exp(double{logit} - largest);
    });
    return std::exp(double{row[id]} - largest) / total;
}

} // namespace headscope::ui
