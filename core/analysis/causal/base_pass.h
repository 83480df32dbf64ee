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

/// The input of a causal test.
struct CausalText
{
    std::vector<TokenId> ids;
    std::vector<std::int32_t> segments;
    std::vector<TokenId> source; ///< Source tokens of an encoder-decoder.

    friend bool operator==(const CausalText&, const CausalText&) = default;
};

/// Makes a device for each thread of a causal test; empty: the CPU.
using BackendFactory = std::function<std::unique_ptr<AttentionBackend>()>;

/// Activations that a forward pass retains besides the residual stream, the outputs of sublayers
/// and z.
enum class Kept {
    Outputs,   ///< Nothing more.
    Attention, ///< q, k, v and patterns.
};

/// Block from which a forward pass resumes, and its input.
struct Resumption
{
    TraceKey from;
    Tensor stream; ///< Residual stream [n, d].
};

/// Forward pass of one text with the activations that causal tests reuse: a test that changes
/// something in a layer computes only what follows. Immutable, so any thread may read it.
class BasePass
{
public:
    /// Runs the model once. Where a causal model's metric reads one row, later tokens cannot matter
    /// and are left out. `embedded` [n, d] replaces the first block's input.
    BasePass(std::shared_ptr<const ResumedForward> resumed, const CausalText& text,
             const GradientTarget& metric, const BackendFactory& backends, Kept kept,
             std::stop_token stop = {}, const Tensor* embedded = nullptr);

    const Model& model() const { return m_resumed->model(); }

    const ModelConfig& config() const { return model().config(); }

    Stack stack() const { return config().mainStack(); }

    std::int64_t tokens() const { return static_cast<std::int64_t>(m_ids.size()); }

    /// Metric of the unmodified forward pass.
    double metric() const { return m_metric; }

    /// Logits [rows, V] of all rows, or only the last row when the metric reads no other.
    const Tensor& logits() const { return m_logits; }

    /// Seconds of one more forward pass over the text that retains nothing: the cost of a test
    /// without reuse.
    double plainSeconds(AttentionBackend& backend, std::stop_token stop = {}) const;

    /// Null if the model does not have that activation or it was not retained.
    std::shared_ptr<const Tensor> find(Site site, int layer) const;

    /// Throws ShapeError if the activation is missing.
    const Tensor& at(Site site, int layer) const;

    /// The metric after resuming the forward pass at `from`.
    double after(const Resumption& from, AttentionBackend& backend, std::stop_token stop = {},
                 const Interventions& interventions = {}) const;

    /// The logits after resuming the forward pass at `from`.
    Tensor logitsAfter(const Resumption& from, AttentionBackend& backend, std::stop_token stop = {},
                       const Interventions& interventions = {},
                       ActivationObserver* observer = nullptr) const;

    /// Point from which the pass resumes after a sublayer's output (hook_attn_out,
    /// hook_cross_attn_out, hook_mlp_out) is replaced by `output` [n, d].
    Resumption withSublayer(Site site, int layer, const Tensor& output) const;

    /// Point from which the pass resumes after a head's z (`cross`: the z of its cross-attention)
    /// is replaced by `z` [n, d_v]: output' = output - (z_h - z) W_O^h, since heads add up.
    Resumption withHead(int layer, int head, const Tensor& z, bool cross = false) const;

    /// One head's part [n, d_v] of z.
    Tensor headZ(int layer, int head, bool cross = false) const;

private:
    void run(AttentionBackend& backend, Kept kept, std::stop_token stop, const Tensor* embedded);
    bool readsLastRowAlone() const;
    bool laterTokensCannotMatter() const;
    ResumedText text() const;
    Tensor addedWithHead(int layer, int head, const Tensor& z) const;
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

/// A device from the factory, or the CPU.
std::unique_ptr<AttentionBackend> makeBackend(const BackendFactory& backends);

/// Runs body(index, backend) for every index below `count`, split over the cores so that early and
/// late indices are mixed. Progress is reported from the calling thread. Rethrows what the body
/// throws.
void forEachPass(std::size_t count, const BackendFactory& backends, Progress& progress,
                 const std::function<void(std::size_t index, AttentionBackend& backend)>& body);

} // namespace headscope
