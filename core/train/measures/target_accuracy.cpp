#include "core/train/measures/target_accuracy.h"

#include "core/ops/cross_entropy.h"
#include "core/tensor/largest.h"

namespace headscope {

namespace {

/// Keeps the label that the next-sentence head prefers: 0 follows, 1 does not.
class PairObserver final : public ActivationObserver
{
public:
    bool wants(TraceKey key) const override { return key == TraceKey{Site::NextSentence, 0}; }

    void record(TraceKey, TensorView logits, std::int64_t) override
    {
        m_label = logits(0, 1) > logits(0, 0) ? 1 : 0;
    }

    std::int32_t label() const { return m_label; }

private:
    std::int32_t m_label = kIgnoredTarget;
};

class Measurement
{
public:
    Measurement(const Model& model, AttentionBackend& backend) : m_model(model), m_backend(backend)
    {
    }

    void addRow(const Batch& batch, std::int64_t row)
    {
        const auto targets = unpaddedRow(batch.targets, batch.keyMask, batch.length, row);
        const std::int32_t label = labelOf(batch, row);
        if (keptTargets(targets) == 0 && label == kIgnoredTarget)
            return;
        PairObserver pair;
        const Tensor logits = logitsOf(batch, row, label == kIgnoredTarget ? nullptr : &pair);
        if (label != kIgnoredTarget) {
            ++m_pairs;
            m_rightPairs += pair.label() == label ? 1 : 0;
        }
        addTargets(logits, targets);
    }

    TargetAccuracy result() const
    {
        TargetAccuracy accuracy;
        accuracy.pairs = m_pairs;
        accuracy.pairsRight = fraction(m_rightPairs, m_pairs);
        accuracy.targets = m_targets;
        if (m_targets == 0)
            return accuracy;
        accuracy.loss = m_loss / static_cast<double>(m_targets);
        accuracy.tokens = 1.0 - fraction(m_wrong, m_targets);
        accuracy.rows = fraction(m_rightRows, m_rows);
        return accuracy;
    }

private:
    static double fraction(std::int64_t part, std::int64_t whole)
    {
        return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
    }

    /// Label of a pair that the model can judge, otherwise kIgnoredTarget.
    std::int32_t labelOf(const Batch& batch, std::int64_t row) const
    {
        return m_model.config().nextSentence && !batch.nextSentence.empty()
                   ? batch.nextSentence[static_cast<std::size_t>(row)]
                   : kIgnoredTarget;
    }

    void addTargets(const Tensor& logits, std::span<const TokenId> targets)
    {
        if (keptTargets(targets) == 0)
            return;
        m_loss += crossEntropy(logits.view(), targets, {});
        std::int64_t wrong = 0;
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const float* const scores = &logits.view()(i, 0);
            const auto best = largestIndex({scores, static_cast<std::size_t>(logits.shape()[1])});
            wrong += targets[i] != kIgnoredTarget && best != targets[i] ? 1 : 0;
        }
        m_targets += keptTargets(targets);
        m_wrong += wrong;
        ++m_rows;
        m_rightRows += wrong == 0 ? 1 : 0;
    }

    Tensor logitsOf(const Batch& batch, std::int64_t row, ActivationObserver* observer)
    {
        KvCache cache(m_model.config());
        if (m_model.config().isEncoderDecoder())
            m_model.encode(unpaddedRow(batch.sources, batch.sourceKeyMask, batch.sourceLength, row),
                           m_backend, cache);
        ForwardOptions options;
        options.observer = observer;
        options.segments = unpaddedRow(batch.segments, batch.keyMask, batch.length, row);
        return m_model.forward(unpaddedRow(batch.inputs, batch.keyMask, batch.length, row),
                               m_backend, cache, options);
    }

    const Model& m_model;
    AttentionBackend& m_backend;
    double m_loss = 0.0;
    std::int64_t m_targets = 0;
    std::int64_t m_wrong = 0;
    std::int64_t m_rows = 0;
    std::int64_t m_rightRows = 0;
    std::int64_t m_pairs = 0;
    std::int64_t m_rightPairs = 0;
};

} // namespace

TargetAccuracy measureTargets(const Model& model, const BatchSource& batches,
                              AttentionBackend& backend)
{
    Measurement measurement(model, backend);
    forEachHeldOutRow(batches, [&measurement](const Batch& batch, std::int64_t row) {
        measurement.addRow(batch, row);
    });
    return measurement.result();
}

} // namespace headscope
