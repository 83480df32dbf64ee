#pragma once

#include "core/model/model.h"
#include "core/model/packed_model.h"

namespace headscope {

/// The operands of one Model::forward, checked.
struct ForwardOperands
{
    const ModelConfig& config;
    const ParameterSet& parameters;
    const PackedModel& packed;
    std::span<const TokenId> ids;
    AttentionBackend& backend;
    KvCache& cache;
    ActivationObserver* observer = nullptr;
    const Interventions& interventions;
    std::stop_token stop;
};

/// One run of the positions [cache.size(), ids.size()) through all blocks. Buffers belong to the
/// thread and stay for the next run.
class ForwardPass
{
public:
    explicit ForwardPass(const ForwardOperands& operands);

    Tensor run(); ///< logits of the new positions

private:
    struct Buffers;

    void embed();
    void attend(int layer);
    void runAttention(int layer);
    void appendToCache(int layer);
    void maskScores(const AttentionInputs& inputs, MutableTensorView scores) const;
    void ablate(int layer);
    void feedForward(int layer);
    Tensor logits();

    MutableTensorView buffer(Tensor& storage, const Shape& shape) const;
    TensorView headsOf(std::int64_t part) const; ///< 0 query, 1 key, 2 value: [n, h, d_k]
    void normalise(const PackedNorm& norm);
    void addToResidual(MutableTensorView sublayer);
    bool isWanted(Site site, int layer) const;
    void note(Site site, int layer, TensorView activation) const;

    const ForwardOperands& m_run;
    Buffers& m_buffers;
    std::int64_t m_first; ///< position of the first new token
    std::int64_t m_rows;  ///< new tokens
    std::int64_t m_width;
    AttentionMask m_mask;
    MutableTensorView m_residual;      ///< [n, d]
    MutableTensorView m_normalised;    ///< [n, d]
    MutableTensorView m_queryKeyValue; ///< [n, 3 d]
    MutableTensorView m_context;       ///< [n, d]
    MutableTensorView m_sublayer;      ///< [n, d]
};

} // namespace headscope
