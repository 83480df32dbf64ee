#pragma once

#include "core/attention/attention_backend.h"
#include "core/model/config/model_config.h"
#include "core/model/pass/interventions.h"
#include "core/model/pass/kv_cache.h"
#include "core/model/pass/pass_inputs.h"
#include "core/model/pass/program.h"
#include "core/model/pass/workspace.h"
#include "core/model/weights/lazy_parameters.h"
#include "core/model/weights/packed_linear.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/dropout.h"
#include "core/trace/activation_observer.h"

#include <array>
#include <span>
#include <stop_token>

namespace headscope {

class RetainedAttention;

/// One pass of a program over some sequences: its memory, observers and interventions. Belongs to
/// one thread.
class ModelPass
{
public:
    ModelPass(const ModelConfig& modelConfig, const Program& layers, Workspace& buffers,
              AttentionBackend& attention)
        : config(modelConfig)
        , program(layers)
        , workspace(buffers)
        , backend(attention)
    {
    }

    /// Lays out the arena, then runs all layers; Cancelled when `stop` requests it.
    void forward();
    void backward(); ///< Call it after a forward pass with `training`.

    /// The two halves of forward(), for callers that fill a value in between: memory for all
    /// values, then the layers from `first` on.
    void prepare();
    void forwardFrom(std::size_t first);
    void forwardOne(std::size_t layer);

    MutableTensorView value(ValueRef ref) const;
    MutableTensorView gradient(ValueRef ref) const;
    MutableTensorView scratch(ValueRef ref) const;

    /// True when a later layer has written this gradient already: then it is added to.
    bool accumulates(ValueRef ref) const { return program.value(ref).lastReader != m_layer; }

    TensorView parameter(const ParameterRef& ref) const;

    /// Gradient to write; empty when parameter gradients are not wanted. Zeroed first unless shared
    /// or `keep`.
    MutableTensorView parameterGradient(const ParameterRef& ref, bool zeroFirst = true) const;

    void linear(const LinearRef& ref, TensorView in, MutableTensorView out,
                const PackedLinear::ColumnsReady& columnsReady = {}) const;

    /// Computes dIn (added to unless `overwrite`, or not wanted when empty), dW and db.
    void linearBackward(const LinearRef& ref, TensorView in, TensorView dOut, MutableTensorView dIn,
                        bool addToIn) const;

    Dropout dropoutAt(double probability, std::uint64_t site) const;

    std::int64_t firstRow() const { return dropout.firstSequence * texts.queryTokens; }

    bool inspects() const { return observer || gradientObserver || changes; }

    /// Records an activation and applies interventions to it.
    void note(TraceKey key, MutableTensorView activation) const;
    /// Records d target / d activation, then clears it where an intervention replaced the computed
    /// value.
    void noteGradient(TraceKey key, MutableTensorView gradient) const;

    bool wants(TraceKey key) const { return observer && observer->wants(key); }

    bool wantsGradient(TraceKey key) const
    {
        return gradientObserver && gradientObserver->wants(key);
    }

    bool patched(TraceKey key) const;

    const PositionEncoding& encoding() const; ///< Encoding in effect.

    bool replacesPositions() const { return interventions && interventions->positions; }

    const RopeTable& ropeTable(int layer) const { return *m_ropes->ropeOf(layer); }

    /// Vectors [at least all positions, d] added to embeddings that are not learned.
    TensorView positionVectors() const { return m_vectors->view(); }

    /// ALiBi slopes [heads], or nothing.
    TensorView positionSlopes() const;
    AttentionMask selfMask(int layer) const; ///< Prepared by forward().
    AttentionMask memoryMask() const;        ///< Mask of cross-attention.

    const ModelConfig& config;
    const Program& program;
    Workspace& workspace;
    AttentionBackend& backend;
    PassTexts texts;
    PassLoss loss;
    PassDropout dropout;
    const float* parameters = nullptr;
    const LazyParameters* stored = nullptr; ///< Used instead of `parameters`.
    float* gradients = nullptr;
    const std::vector<PackedLinear>* packed = nullptr; ///< Packed weights for inference.
    const PositionTables* tables = nullptr;            ///< Tables of the model itself.
    Products products = Products::Exact;               ///< Products with packed weights.
    KvCache* cache = nullptr;
    /// Keys and values of one layer that was computed before; its queries attend to these.
    const RetainedAttention* attended = nullptr;
    ActivationObserver* observer = nullptr;
    ActivationObserver* gradientObserver = nullptr;
    const Interventions* interventions = nullptr;
    bool changes = false;  ///< True when interventions change activations.
    bool training = false; ///< True when a backward pass will follow.
    bool causal = true;
    bool wantsLogits = false;    ///< Writes workspace.logits instead of computing a loss.
    bool lastLogitsOnly = false; ///< Computes logits of the last query token alone.
    TensorView logitGradient;    ///< Gradient traces: [rows, vocabulary].
    std::stop_token stop;

    MutableTensorView memory;         ///< Encoded source of a decoder.
    MutableTensorView memoryGradient; ///< Overwritten by backward().

private:
    void prepareMask();
    void prepareRope();
    void prepareVectorsAndSlopes();

    MutableTensorView at(ValueRef ref, std::int64_t offset) const;

    int m_layer = 0;
    bool m_backward = false;
    AttentionMask m_selfMask;
    std::array<std::int64_t, 3> m_counts{};
    std::array<float*, 3> m_bases{};
    const PositionTables* m_ropes = nullptr;
    const Tensor* m_vectors = nullptr;
    const Tensor* m_slopes = nullptr;
};

} // namespace headscope
