#pragma once

#include "core/model/model.h"

#include <map>
#include <memory>

namespace headscope {

/// A text, and the encoded source of an encoder-decoder.
struct ResumedText
{
    std::span<const TokenId> ids;
    std::span<const std::int32_t> segments = {};
    TensorView memory = {}; ///< Encoded source [m, d]: KvCache::memory() after Model::encode.
};

/// Resumes a forward pass in the middle, from a given residual stream, so that a change in a late
/// layer does not cost the layers before it. Of the stack that predicts, without a cache.
/// Immutable: any number of threads may use one, each with its own backend.
class ResumedForward
{
public:
    /// Prepares the weights separately from those of Model::forward (stored ones are used in
    /// place).
    explicit ResumedForward(std::shared_ptr<const Model> model);
    ~ResumedForward();

    const Model& model() const { return *m_model; }

    /// True for hook_resid_pre, _mid, _mid_cross and _post of layers in the predicting stack. Where
    /// attention and feed-forward network read the same residual stream in parallel, there is no
    /// state between them to resume from.
    bool canResume(TraceKey stream) const;

    /// Result of Model::forward for the whole text, had `stream` [n, d] been the activation at
    /// `from`. Observers and interventions see that activation and what follows it. Throws
    /// ShapeError for an invalid site or shape, Cancelled between layers.
    Tensor forward(const ResumedText& text, TraceKey from, TensorView stream,
                   AttentionBackend& backend, const ForwardOptions& options = {}) const;

private:
    struct Place; ///< A layer of the program, and the value that it exposes.
    struct Weights;

    void check(const ResumedText& text, TraceKey from, TensorView stream,
               const ForwardOptions& options) const;

    std::shared_ptr<const Model> m_model;
    std::unique_ptr<const Weights> m_weights;
    std::map<TraceKey, Place> m_places;
};

} // namespace headscope
