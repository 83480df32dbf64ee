#include "core/runs/explosion.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <vector>

namespace headscope {

namespace {

constexpr double kExploded = 10.0;

double squareSum(TensorView view)
{
    double sum = 0.0;
    if (view.shape.rank() > 1) {
        for (std::int64_t i = 0; i < view.shape[0]; ++i)
            sum += squareSum(view[i]);
        return sum;
    }
    for (std::int64_t i = 0; i < view.shape[0]; ++i)
        sum += static_cast<double>(view.data[i]) * static_cast<double>(view.data[i]);
    return sum;
}

/// Root mean square of every activation; masked scores are legitimately -inf and left out.
class SizeKeeper final : public ActivationObserver
{
public:
    bool wants(TraceKey key) const override { return !isScores(key.site); }

    void record(TraceKey key, TensorView activation, std::int64_t) override
    {
        const auto count = static_cast<double>(activation.shape.elementCount());
        order.push_back(key);
        sizes[key] = std::sqrt(squareSum(activation) / count);
    }

    std::vector<TraceKey> order;
    std::map<TraceKey, double> sizes;
};

SizeKeeper sizesOf(const Model& model, AttentionBackend& backend, const Batch& batch)
{
    const Batch row = batchRows(batch, 0, 1);
    SizeKeeper keeper;
    ForwardOptions options;
    options.observer = &keeper;
    KvCache cache(model.config());
    if (model.config().isEncoderDecoder())
        model.encode(row.sources, backend, cache, options);
    options.segments = row.segments;
    model.forward(row.inputs, backend, cache, options);
    return keeper;
}

} // namespace

std::string firstExploded(const Model& now, const Model& before, AttentionBackend& backend,
                          const Batch& batch)
{
    const SizeKeeper later = sizesOf(now, backend, batch);
    const SizeKeeper earlier = sizesOf(before, backend, batch);
    for (const TraceKey& key : later.order) {
        const auto old = earlier.sizes.find(key);
        if (old == earlier.sizes.end() || old->second <= 0.0)
            continue;
        const double factor = later.sizes.at(key) / old->second;
        if (!(factor <= kExploded)) // NaN too
            return fmt::format("{}, {:.0f} times as large", toString(key), factor);
    }
    return {};
}

} // namespace headscope
