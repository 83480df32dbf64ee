#pragma once

#include "core/tensor/tensor.h"
#include "core/text/tokenizers/tokenizer.h"
#include "core/trace/attention_kind.h"
#include "core/trace/retained_attention.h"

#include <map>
#include <memory>
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

/// Recorded activations of one forward pass. Immutable, so any thread may read it without a lock.
class Trace
{
public:
    using Activations = std::map<TraceKey, std::shared_ptr<const Tensor>>;
    /// Operands of patterns computed on demand.
    using RetainedPatterns = std::map<TraceKey, RetainedAttentionPtr>;

    /// Takes the tokens of an encoder-decoder's target, with `source` as its source.
    Trace(TokenSequence tokens, Activations activations, TraceInfo info, TokenSequence source = {},
          RetainedPatterns kept = {});

    const TokenSequence& tokens() const { return m_tokens; }

    /// Source tokens; empty unless the model is an encoder-decoder.
    const TokenSequence& sourceTokens() const { return m_source; }

    const TraceInfo& info() const { return m_info; }

    const Activations& activations() const { return m_activations; }

    const RetainedPatterns& retainedPatterns() const { return m_kept; }

    /// Null when the TraceRequest did not include this activation. A pattern that was not retained
    /// is recomputed from queries and keys, all heads of the layer; the most recent ones are
    /// cached.
    std::shared_ptr<const Tensor> find(TraceKey key) const;

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

    std::size_t byteCount() const; ///< Size without patterns computed on demand.

private:
    class Remembered;

    TokenSequence m_tokens;
    TokenSequence m_source;
    Activations m_activations;
    TraceInfo m_info;
    RetainedPatterns m_kept;
    /// Null when all patterns are retained; has its own lock.
    std::shared_ptr<Remembered> m_remembered;
};

using TracePtr = std::shared_ptr<const Trace>;

} // namespace headscope
