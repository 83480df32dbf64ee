#include "core/train/measures/divergence.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

/// Remembers the first activation with a value that is not finite. Masked scores are legitimately
/// -inf.
class NonFiniteFinder : public ActivationObserver
{
public:
    bool wants(TraceKey key) const override { return m_found.empty() && !isScores(key.site); }

    void record(TraceKey key, TensorView activation, std::int64_t) override
    {
        if (m_found.empty() && !isFinite(activation))
            m_found = toString(key);
    }

    const std::string& found() const { return m_found; }

private:
    static bool isFinite(TensorView view)
    {
        if (view.shape.rank() > 1) {
            for (std::int64_t i = 0; i < view.shape[0]; ++i)
                if (!isFinite(view[i]))
                    return false;
            return true;
        }
        return std::all_of(view.data, view.data + view.shape[0],
                           [](float value) { return std::isfinite(value); });
    }

    std::string m_found;
};

std::string inActivations(const Model& model, AttentionBackend& backend, const Batch& batch)
{
    for (std::int64_t row = 0; row < batch.rows; ++row) {
        NonFiniteFinder finder;
        ForwardOptions options;
        options.observer = &finder;
        KvCache cache(model.config());
        if (model.config().isEncoderDecoder())
            model.encode(batchRow(batch.sources, batch.sourceLength, row), backend, cache, options);
        options.segments = batchRow(batch.segments, batch.length, row);
        model.forward(batchRow(batch.inputs, batch.length, row), backend, cache, options);
        if (!finder.found().empty())
            return fmt::format("{} of row {}", finder.found(), row);
    }
    return {};
}

} // namespace

std::string firstNonFinite(const Model& model, AttentionBackend& backend, const Batch& batch,
                           const ParameterSet& gradients)
{
    const std::string activation = inActivations(model, backend, batch);
    if (!activation.empty())
        return activation;
    const auto& specs = gradients.specs();
    const auto found = std::find_if(specs.rbegin(), specs.rend(), [&](const ParameterSpec& spec) {
        const TensorView view = gradients.view(spec);
        return !std::all_of(view.data, view.data + view.shape.elementCount(),
                            [](float value) { return std::isfinite(value); });
    });
    return found == specs.rend() ? std::string() : "the gradient of " + found->name;
}

} // namespace headscope
