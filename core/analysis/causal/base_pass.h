#pragma once

#include "core/analysis/causal/prediction_metric.h"
#include "core/attention/attention_backend.h"
#include "core/base/progress.h"
#include "core/model/pass/resumed_forward.h"
#include "core/model/pass/site_shape.h"
#include "core/trace/trace.h"

#include <functional>
#include <optional>

namespace headscope {

/// A text as a causal test takes it.
struct CausalText
{
    std::vector<TokenId> ids;
    std::vector<std::int32_t> segments;
    std::vector<TokenId> source; ///< of an encoder-decoder

    friend bool operator==(const CausalText&, const CausalText&) = default;
};

/// A device for each thread of a causal test; empty: the CPU.
using BackendFactory = std::function<std::unique_ptr<AttentionBackend>()>;

/// What a pass keeps of itself, besides the stream, what sublayers add to it and z.
enum class Kept {
    Outputs,   ///< nothing
    Attention, ///< q, k, v and patterns
};

/// Where a pass goes on, and from what.
struct Resumption
{
    TraceKey from;
    Tensor stream; ///< [n, d]
};

/// One text's pass with the numbers that causal tests reuse: a test that changes something in a
/// layer runs only what follows. Immutable once made, so any thread may ask.
class BasePass
{
public:
    /// Runs the text once. Where a causal model's metric reads one row, later tokens cannot matter
    /// and are left out. `embedded` [n, d]: in place of the first block's input.
    BasePass(std::shared_ptr<const ResumedForward> resumed, const CausalText& text,
             const GradientTarget& metric, const BackendFactory& backends, Kept kept,
             std::stop_token stop = {}, const Tensor* embedded = nullptr);

    const Model& model() const { return m_resumed->model(); }

    const ModelConfig& config() const { return model().config(); }

    Stack stack() const { return config().mainStack(); }

    std::int64_t tokens() const { return static_cast<std::int64_t>(m_ids.size()); }

    const std::vector<TokenId>& ids() const { return m_ids; }

    /// Of the plain pass.
    double metric() const { return m_metric; }

    /// [rows, V]: of all rows, or of the last alone when the metric reads only that.
    const Tensor& logits() const { return m_logits; }

    /// Of one more pass over the text that keeps nothing: what a test without reuse costs.
    double plainSeconds(AttentionBackend& backend, std::stop_token stop = {}) const;

    /// Null where the model or what was kept has none.
    std::shared_ptr<const Tensor> find(Site site, int layer) const;

    const Tensor& at(Site site, int layer) const; ///< ShapeError without

    /// The metric after the rest of the model has run.
    double after(const Resumption& from, AttentionBackend& backend, std::stop_token stop = {},
                 const Interventions& interventions = {}) const;

    /// The logits of the same.
    Tensor logitsAfter(const Resumption& from, AttentionBackend& backend, std::stop_token stop = {},
                       const Interventions& interventions = {},
                       ActivationObserver* observer = nullptr) const;

    /// Where a pass goes on whose sublayer (hook_attn_out, hook_cross_attn_out, hook_mlp_out) gave
    /// `output` [n, d].
    Resumption withSublayer(Site site, int layer, const Tensor& output) const;

    /// The same for a head whose z (or, `cross`, the z of what it takes from the source) is
    /// `z` [n, d_v]: output' = output - (z_h - z) W_O^h, since heads add up.
    Resumption withHead(int layer, int head, const Tensor& z, bool cross = false) const;

    /// [n, d_v]: one head's part of z.
    Tensor headZ(int layer, int head, bool cross = false) const;

private:
    void run(AttentionBackend& backend, Kept kept, std::stop_token stop, const Tensor* embedded);
    bool readsLastRowAlone() const;
    bool laterTokensCannotMatter() const;
    ResumedText text() const;
    std::string blockName(int layer) const;

    std::shared_ptr<const ResumedForward> m_resumed;
    GradientTarget m_target;
    std::vector<TokenId> m_ids;
    std::vector<std::int32_t> m_segments;
    std::vector<TokenId> m_source;
    Tensor m_memory;
    Trace::Activations m_activations;
    Tensor m_logits;
    double m_metric = 0.0;
};

/// One from the factory, or the CPU.
std::unique_ptr<AttentionBackend> makeBackend(const BackendFactory& backends);

/// Runs body(index, backend) for every index below `count`, split over the cores so that early and
/// late ones are mixed. Progress is told from the calling thread. Throws what the body throws.
void forEachPass(std::size_t count, const BackendFactory& backends, Progress& progress,
                 const std::function<void(std::size_t index, AttentionBackend& backend)>& body);

} // namespace headscope
