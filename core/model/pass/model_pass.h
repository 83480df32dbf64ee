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

/// One pass of a program over some texts: where its numbers lie, what is observed and changed.
/// Belongs to one thread.
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

    void forward();  ///< lays out the arena, then runs all layers; Cancelled when `stop` asks
    void backward(); ///< after a forward with `training`

    /// The two halves of forward(), for those who fill a value in between: places for all values,
    /// then the layers from `first` on.
    void prepare();
    void forwardFrom(std::size_t first);

    MutableTensorView value(ValueRef ref) const;
    MutableTensorView gradient(ValueRef ref) const;
    MutableTensorView scratch(ValueRef ref) const;

    /// True when a layer further on has written this gradient already: then it is added to.
    bool accumulates(ValueRef ref) const { return program.value(ref).lastReader != m_layer; }

    TensorView parameter(const ParameterRef& ref) const;

    /// Empty when parameter gradients are not wanted. Zeroed first unless shared or `keep`.
    MutableTensorView parameterGradient(const ParameterRef& ref, bool zeroFirst = true) const;

    void linear(const LinearRef& ref, TensorView in, MutableTensorView out,
                const PackedLinear::ColumnsReady& columnsReady = {}) const;

    /// dIn (added to unless `overwrite`, or not wanted when empty), dW and db.
    void linearBackward(const LinearRef& ref, TensorView in, TensorView dOut, MutableTensorView dIn,
                        bool addToIn) const;

    Dropout dropoutAt(double probability, std::uint64_t site) const;

    std::int64_t firstRow() const { return dropout.firstSequence * texts.queryTokens; }

    bool inspects() const { return observer || gradientObserver || changes; }

    /// Records an activation and lets interventions change it.
    void note(TraceKey key, MutableTensorView activation) const;
    /// Records d target / d activation, then forgets it where an intervention took the place of
    /// what was computed.
    void noteGradient(TraceKey key, MutableTensorView gradient) const;

    bool wants(TraceKey key) const { return observer && observer->wants(key); }

    bool wantsGradient(TraceKey key) const
    {
        return gradientObserver && gradientObserver->wants(key);
    }

    bool patched(TraceKey key) const;

    const PositionEncoding& encoding() const; ///< in force

    const RopeTable& ropeTable() const { return *m_rope; }

    /// [at least all positions, d]: what is added to embeddings and not learned.
    TensorView positionVectors() const { return m_vectors->view(); }

    /// [heads], or nothing.
    TensorView positionSlopes() const;
    AttentionMask selfMask() const;   ///< prepared by forward()
    AttentionMask memoryMask() const; ///< of cross-attention

    const ModelConfig& config;
    const Program& program;
    Workspace& workspace;
    AttentionBackend& backend;
    PassTexts texts;
    PassLoss loss;
    PassDropout dropout;
    const float* parameters = nullptr;
    const LazyParameters* stored = nullptr; ///< instead of `parameters`
    float* gradients = nullptr;
    const std::vector<PackedLinear>* packed = nullptr; ///< inference
    const PositionTables* tables = nullptr;            ///< the model's own
    KvCache* cache = nullptr;
    ActivationObserver* observer = nullptr;
    ActivationObserver* gradientObserver = nullptr;
    const Interventions* interventions = nullptr;
    bool changes = false;  ///< interventions change activations
    bool training = false; ///< a backward pass will follow
    bool causal = true;
    bool wantsLogits = false;    ///< into workspace.logits instead of a loss
    bool lastLogitsOnly = false; ///< of the last query token alone
    TensorView logitGradient;    ///< gradient traces: [rows, vocabulary]
    std::stop_token stop;

    MutableTensorView memory;         ///< the encoded source, of a decoder
    MutableTensorView memoryGradient; ///< overwritten by backward()

private:
    void prepareMask();
    void prepareRope();
    void prepareVectorsAndSlopes();

    bool replacesPositions() const { return interventions && interventions->positions; }

    MutableTensorView at(ValueRef ref, std::int64_t offset) const;

    int m_layer = 0;
    bool m_backward = false;
    AttentionMask m_selfMask;
    std::array<std::int64_t, 3> m_counts{};
    std::array<float*, 3> m_bases{};
    const RopeTable* m_rope = nullptr;
    const Tensor* m_vectors = nullptr;
    const Tensor* m_slopes = nullptr;
};

} // namespace headscope
