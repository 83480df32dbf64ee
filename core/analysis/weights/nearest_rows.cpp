#include "core/analysis/weights/nearest_rows.h"

#include "core/base/stop.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope {

namespace {

double product(std::span<const float> a, std::span<const float> b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(),
                              [](float x, float y) { return double{x} * double{y}; });
}

} // namespace

std::vector<NearRow> nearestRows(const WeightReader& reader, std::int64_t index, std::size_t count,
                                 const std::stop_token& stop)
{
    std::vector<float> wanted(static_cast<std::size_t>(reader.storedColumns()));
    reader.readStored(index, wanted);
    const double size = std::sqrt(product(wanted, wanted));
    std::vector<NearRow> near;
    std::vector<float> row(wanted.size());
    for (std::int64_t i = 0; size > 0.0 && i < reader.storedRows(); ++i) {
        throwIfStopped(stop);
        reader.readStored(i, row);
        const double other = std::sqrt(product(row, row));
        if (i != index && other > 0.0)
            near.push_back({i, product(wanted, row) / (size * other)});
    }
    const auto shown = static_cast<std::ptrdiff_t>(std::min(count, near.size()));
    std::partial_sort(near.begin(), near.begin() + shown, near.end(),
                      [](const NearRow& a, const NearRow& b) {
                          return a.cosine != b.cosine ? a.cosine > b.cosine : a.row < b.row;
                      });
    near.resize(static_cast<std::size_t>(shown));
    return near;
}

} // namespace headscope
