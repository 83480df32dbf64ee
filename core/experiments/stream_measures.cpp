#include "core/experiments/stream_measures.h"

#include "core/model/pass/site_shape.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headscope {

namespace {

constexpr std::int64_t kTexts = 4; ///< Number of held-out texts used.

double normOf(TensorView row)
{
    double squares = 0.0;
    for (std::int64_t i = 0; i < row.shape[0]; ++i)
        squares += double{row(i)} * double{row(i)};
    return std::sqrt(squares);
}

/// Sums over texts of what is measured at each level of the stream: before the first block, then
/// after each.
class StreamObserver final : public ActivationObserver
{
public:
    explicit StreamObserver(const ModelConfig& config)
        : m_stack(config.mainStack())
        , m_norms(static_cast<std::size_t>(layerCount(config, m_stack)) + 1)
    {
    }

    bool wants(TraceKey key) const override
    {
        const bool isFirst = key.site == Site::ResidPre && key.layer == 0;
        return key.stack == m_stack && (isFirst || key.site == Site::ResidPost);
    }

    void record(TraceKey key, TensorView activation, std::int64_t) override
    {
        const std::size_t level = key.site == Site::ResidPre ? 0 : key.layer + 1;
        for (std::int64_t row = 0; row < activation.shape[0]; ++row)
            m_norms[level] += normOf(activation[row]) / static_cast<double>(activation.shape[0]);
        if (level + 1 == m_norms.size())
            m_likeness += meanCosine(activation);
    }

    std::vector<double> norms(std::int64_t texts) const
    {
        std::vector<double> means = m_norms;
        for (double& mean : means)
            mean /= static_cast<double>(texts);
        return means;
    }

    double likeness(std::int64_t texts) const { return m_likeness / static_cast<double>(texts); }

private:
    Stack m_stack;
    std::vector<double> m_norms;
    double m_likeness = 0.0;
};

struct Stream
{
    std::vector<double> norms; ///< By level.
    double likeness = 0.0;
};

Stream streamOf(const TrainedVariant& variant, const Model& model)
{
    const Batch batch = variant.data.batches->validationBatch(0);
    const std::int64_t texts = std::min(kTexts, batch.rows);
    StreamObserver observer(model.config());
    for (std::int64_t text = 0; text < texts; ++text) {
        KvCache cache(model.config());
        model.forward(batchRow(batch.inputs, batch.length, text), variant.backend, cache,
                      &observer);
    }
    return {observer.norms(texts), observer.likeness(texts)};
}

} // namespace

double meanCosine(TensorView x)
{
    double sum = 0.0;
    std::int64_t pairs = 0;
    for (std::int64_t a = 0; a < x.shape[0]; ++a) {
        for (std::int64_t b = 0; b < a; ++b, ++pairs) {
            double product = 0.0;
            for (std::int64_t i = 0; i < x.shape[1]; ++i)
                product += double{x(a, i)} * double{x(b, i)};
            const double lengths = normOf(x[a]) * normOf(x[b]);
            sum += lengths > 0.0 ? product / lengths : 0.0;
        }
    }
    return pairs > 0 ? sum / static_cast<double>(pairs) : 0.0;
}

void addStream(const TrainedVariant& variant, VariantResult& result)
{
    const Stream start =
        streamOf(variant, Model::initialised(variant.data.model, variant.config.seed));
    const Stream trained = streamOf(variant, variant.model);
    result.numbers.push_back({"stream_first", trained.norms.front()});
    result.numbers.push_back({"stream_last", trained.norms.back()});
    result.numbers.push_back({"start_stream_last", start.norms.back()});
    result.numbers.push_back({"start_likeness", start.likeness});
    result.numbers.push_back({"likeness", trained.likeness});
    ExperimentSeries series{"stream_norms", {}, trained.norms};
    for (std::size_t level = 0; level < trained.norms.size(); ++level)
        series.x.push_back(static_cast<double>(level));
    result.series.push_back(std::move(series));
}

} // namespace headscope
