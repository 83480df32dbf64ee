#pragma once

#include "core/tensor/tensor.h"
#include "core/text/tokenizers/tokenizer.h"
#include "core/trace/attention_kind.h"
#include "core/trace/omitted_activations.h"
#include "core/trace/retained_attention.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace headscope {

/// Origin of a trace; written into the trace file's metadata and shown in the status line.
struct TraceInfo
{
    std::string model;          ///< Model: "builtin:stories", a path, ...
    std::string settings;       ///< JSON object: settingsJson of the interventions, device.
    std::string device;         ///< AttentionBackend::describe() of the forward pass.
    double forwardMs = 0.0;     ///< Measured wall time of the forward pass.
    std::int64_t newTokens = 0; ///< Tokens computed; the others came from the prefix cache.
    /// Tokens of the whole text; more than tokens().size() when truncated.
    std::int64_t textTokens = 0;
    std::int64_t sourceTextTokens = 0; ///< Tokens of the whole source text.
};

/// Rows of an activation, and the tensor whose memory they lie in.
struct ActivationRows
{
    std::shared_ptr<const Tensor> owner;
    TensorView view;

    explicit operator bool() const { return owner != nullptr; }

    /// Values of one of the rows.
    std::span<const float> operator[](std::int64_t row) const;
};

class ComputedParts;

/// Recorded activations of one forward pass. Immutable, so any thread may read it without a lock.
/// Of a long text some are computed when they are read (TraceRequest).
class Trace
{
public:
    using Activations = std::map<TraceKey, std::shared_ptr<const Tensor>>;
    /// Operands of patterns computed on demand.
    using RetainedPatterns = std::map<TraceKey, RetainedAttentionPtr>;

    /// Takes the tokens of an encoder-decoder's target, with `source` as its source. `omitted` is
    /// null where everything requested was recorded.
    Trace(TokenSequence tokens, Activations activations, TraceInfo info, TokenSequence source = {},
          RetainedPatterns kept = {}, OmittedActivationsPtr omitted = nullptr);

    const TokenSequence& tokens() const { return m_tokens; }

    /// Source tokens; empty unless the model is an encoder-decoder.
    const TokenSequence& sourceTokens() const { return m_source; }

    const TraceInfo& info() const { return m_info; }

    const Activations& activations() const { return m_activations; }

    const RetainedPatterns& retainedPatterns() const { return m_kept; }

    /// Computes what was not recorded; null where everything requested was.
    const OmittedActivationsPtr& omitted() const { return m_omitted; }

    /// Null when the TraceRequest did not include this activation. A pattern that was not retained
    /// is recomputed from queries and keys, all heads of the layer, and an omitted activation as a
    /// whole; the most recent ones are cached.
    std::shared_ptr<const Tensor> find(TraceKey key) const;

    bool has(TraceKey key) const { return shapeOf(key).has_value(); }

    /// Shape of what find() returns, without computing it; empty where that is null.
    std::optional<Shape> shapeOf(TraceKey key) const;

    /// Rows [first, first + count) of an activation with a row per token: of an omitted one only
    /// these are computed. Null as in find(). Throws ShapeError outside, and for scores and
    /// patterns.
    ActivationRows findRows(TraceKey key, std::int64_t first, std::int64_t count = 1) const;

    /// Reads all rows in turn, of an omitted activation some at a time: logits of a long text exist
    /// in part only. Does nothing where find() is null.
    void forEachRow(
        TraceKey key,
        const std::function<void(std::int64_t row, std::span<const float> values)>& read) const;

    /// One head of a pattern [n, m], computed without the others where they are not retained. Null
    /// as in find(), and for a head that does not exist.
    std::shared_ptr<const Tensor> findHead(TraceKey pattern, int head) const;

    /// Keys of all patterns, retained or recomputed; sorted.
    std::vector<TraceKey> patternKeys() const;

    /// Query heads of a pattern; 0 without it.
    int headsOf(TraceKey pattern) const;

    /// Kinds of attention that have a pattern, in the order of the computation.
    std::vector<AttentionKind> attentionKinds() const;

    /// 1 + the last layer that has a pattern of this kind; 0 without any.
    int layerCount(AttentionKind kind = AttentionKind::Self) const;

    /// Largest number of query heads in patterns of this kind; 0 without any.
    int headCount(AttentionKind kind = AttentionKind::Self) const;

    /// Tokens that attend: rows of patterns of this kind.
    const TokenSequence& queryTokens(AttentionKind kind) const;

    /// Tokens attended to: columns of patterns of this kind.
    const TokenSequence& keyTokens(AttentionKind kind) const;

    std::size_t byteCount() const; ///< Size without what is computed on demand.

private:
    std::shared_ptr<const Tensor> findOmitted(TraceKey key) const;

    TokenSequence m_tokens;
    TokenSequence m_source;
    Activations m_activations;
    TraceInfo m_info;
    RetainedPatterns m_kept;
    OmittedActivationsPtr m_omitted;
    std::shared_ptr<ComputedParts> m_computed; ///< Null when everything was recorded.
};

using TracePtr = std::shared_ptr<const Trace>;

} // namespace headscope
