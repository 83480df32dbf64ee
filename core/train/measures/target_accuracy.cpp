#include "core/train/measures/target_accuracy.h"

#include "core/ops/cross_entropy.h"

#include <algorithm>

namespace headscope {

namespace {

/// Entries of one row up to the last unmasked one; all of them without a mask.
template<class Value>
std::span<const Value> shownRow(const std::vector<Value>& values,
                                const std::vector<std::uint8_t>& mask, std::int64_t length,
                                std::int64_t row)
{
    const std::size_t first = row * length;
    auto count = static_cast<std::size_t>(length);
    while (!mask.empty() && count > 1 && mask[first + count - 1] == 0)
        --count;
    return std::span(values).subspan(first, count);
}

class Measurement
{
public:
    Measurement(const Model& model, AttentionBackend& backend) : m_model(model), m_backend(backend)
    {
    }

    void addRow(const Batch& batch, std::int64_t row)
    {
        const auto targets = shownRow(batch.targets, batch.keyMask, batch.length, row);
        if (keptTargets(targets) == 0)
            return;
        const Tensor logits = logitsOf(batch, row);
        m_loss += crossEntropy(logits.view(), targets, {});
        std::int64_t wrong = 0;
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const float* const scores = &logits.view()(i, 0);
            const auto best = std::max_element(scores, scores + logits.shape()[1]) - scores;
            wrong += targets[i] != kIgnoredTarget && best != targets[i] ? 1 : 0;
        }
        m_targets += keptTargets(targets);
        m_wrong += wrong;
        ++m_rows;
        m_rightRows += wrong == 0 ? 1 : 0;
    }

    TargetAccuracy result() const
    {
        if (m_targets == 0)
            return {};
        const auto targets = static_cast<double>(m_targets);
        return {m_targets, m_loss / targets, 1.0 - static_cast<double>(m_wrong) / targets,
                static_cast<double>(m_rightRows) / static_cast<double>(m_rows)};
    }

private:
    Tensor logitsOf(const Batch& batch, std::int64_t row)
    {
        KvCache cache(m_model.config());
        if (m_model.config().isEncoderDecoder())
            m_model.encode(shownRow(batch.sources, batch.sourceKeyMask, batch.sourceLength, row),
                           m_backend, cache);
        ForwardOptions options;
        if (!batch.segments.empty())
            options.segments = shownRow(batch.segments, batch.keyMask, batch.length, row);
        return m_model.forward(shownRow(batch.inputs, batch.keyMask, batch.length, row), m_backend,
                               cache, options);
    }

    const Model& m_model;
    AttentionBackend& m_backend;
    double m_loss = 0.0;
    std::int64_t m_targets = 0;
    std::int64_t m_wrong = 0;
    std::int64_t m_rows = 0;
    std::int64_t m_rightRows = 0;
};

} // namespace

TargetAccuracy measureTargets(const Model& model, const BatchSource& batches,
                              AttentionBackend& backend)
{
    Measurement measurement(model, backend);
    for (std::int64_t index = 0; index < batches.validationBatchCount(); ++index) {
        const Batch batch = batches.validationBatch(index);
        for (std::int64_t row = 0; row < batch.rows; ++row)
            measurement.addRow(batch, row);
    }
    return measurement.result();
}

} // namespace headscope
