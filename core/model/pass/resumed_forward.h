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
    TensorView memory = {}; ///< [m, d]: KvCache::memory() after Model::encode
};

/// Runs a model from the middle: what follows a residual stream that is given, so that a change in
/// a late layer does not cost the layers before it. Of the stack that predicts, without a cache.
/// Immutable: any number of threads may run one, each with its own backend.
class ResumedForward
{
public:
    /// Prepares the weights once more, beside those of Model::forward (stored ones stay where they
    /// are).
    explicit ResumedForward(std::shared_ptr<const Model> model);
    ~ResumedForward();

    const Model& model() const { return *m_model; }

    /// True for hook_resid_pre, _mid, _mid_cross and _post of layers that the predicting stack has.
    /// Where attention and feed-forward part read the same stream side by side, there is nothing
    /// between them to go on from.
    bool canResume(TraceKey stream) const;

    /// What Model::forward returns for the whole text, had `stream` [n, d] been the activation at
    /// `from`. Observers and interventions see that activation and what follows it. Throws
    /// ShapeError for a place or a shape that cannot be, Cancelled between layers.
    Tensor forward(const ResumedText& text, TraceKey from, TensorView stream,
                   AttentionBackend& backend, const ForwardOptions& options = {}) const;

private:
    struct Place; ///< a layer of the program, and the value that it shows
    struct Weights;

    void check(const ResumedText& text, TraceKey from, TensorView stream,
               const ForwardOptions& options) const;

    std::shared_ptr<const Model> m_model;
    std::unique_ptr<const Weights> m_weights;
    std::map<TraceKey, Place> m_places;
};

} // namespace headscope
