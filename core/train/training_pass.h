#pragma once

#include "core/attention/attention_backend.h"
#include "core/ops/dropout.h"
#include "core/train/decoder_weights.h"
#include "core/train/training_arena.h"

#include <memory>
#include <span>

namespace headscope {

/// One worker's rows of a batch, and what all workers share about the step.
struct PassInputs
{
    std::span<const std::int32_t> ids;     ///< rows * length
    std::span<const std::int32_t> targets; ///< rows * length
    std::int64_t firstRow = 0; ///< of the whole batch: dropout does not depend on the split
    std::int64_t rows = 0;
    std::int64_t length = 0;
    float lossScale = 1.0F; ///< 1 / targets that count in the whole batch
    std::uint64_t seed = 0;
    std::uint64_t step = 0;
    bool dropout = false;
};

/// Forward and backward of a pre-LN decoder over some rows: x = tokens * scale + positions; x +=
/// attention( ln1 x); x += fc2(f(fc1(ln2 x))); logits = ln_f(x) head^T (Radford et al. 2019). One
/// per worker.
class TrainingPass
{
public:
    TrainingPass(const ModelConfig& config, const Tensor& sinusoids,
                 std::unique_ptr<AttentionBackend> backend);

    /// Sum of the losses of these rows, in nats.
    double forward(const DecoderWeights<const float>& weights, const PassInputs& inputs);

    /// The same, and gradients = d (lossScale * sum) / d parameters, overwritten.
    double forwardBackward(const DecoderWeights<const float>& weights, const PassInputs& inputs,
                           const DecoderWeights<float>& gradients);

private:
    enum class Site { Embedding, Attention, AttentionOutput, FeedForwardOutput };
    struct Projection;

    Dropout dropoutAt(Site site, std::size_t layer = 0) const;

    std::int64_t firstToken() const { return m_inputs.firstRow * m_inputs.length; }

    MutableTensorView blockOutput(std::size_t layer);
    MutableTensorView headsOf(MutableTensorView fused, std::int64_t part, std::int64_t parts) const;

    void begin(const DecoderWeights<const float>& weights, const PassInputs& inputs);
    void embed();
    void attend(std::size_t layer);
    void feedForward(std::size_t layer);
    void addProjection(const Projection& projection, const Dropout& dropout);
    AttentionInputs attentionInputs(std::size_t layer);
    double lossOfRows(const DecoderWeights<float>* gradients);

    TensorView upstream(const Dropout& dropout);
    void backwardFeedForward(std::size_t layer, const BlockWeights<float>& gradients);
    void backwardAttention(std::size_t layer, const BlockWeights<float>& gradients);
    void backwardEmbedding(const DecoderWeights<float>& gradients);

    ModelConfig m_config;
    TensorView m_sinusoids; ///< [maxLen, d], owned by the Trainer; empty unless sinusoidal
    std::unique_ptr<AttentionBackend> m_backend;
    TrainingArena m_arena;
    const DecoderWeights<const float>* m_weights = nullptr;
    PassInputs m_inputs;
};

} // namespace headscope
