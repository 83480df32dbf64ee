#pragma once

#include "core/tensor/tensor.h"
#include "core/text/tokenizers/tokenizer.h"
#include "core/trace/attention_kind.h"
#include "core/trace/kept_attention.h"

#include <map>
#include <memory>
#include <string>

namespace headscope {

/// How a trace came to be; written into the trace file's metadata and shown in the status line.
struct TraceInfo
{
    std::string model;           ///< "builtin:stories", a path, ...
    std::string settings;        ///< JSON object: settingsJson of the interventions, device
    std::string device;          ///< AttentionBackend::describe() of the run
    double forwardMs = 0.0;      ///< measured wall time of the forward pass
    std::int64_t newTokens = 0;  ///< of tokens(): computed; the others came from the prefix cache
    std::int64_t textTokens = 0; ///< tokens of the whole text; more than tokens().size() when cut
    std::int64_t sourceTextTokens = 0; ///< the same of the source
};

/// What one forward pass left behind. Immutable, so any thread may read it without a lock.
class Trace
{
public:
    using Activations = std::map<TraceKey, std::shared_ptr<const Tensor>>;
    using KeptPatterns = std::map<TraceKey, KeptAttentionPtr>; ///< patterns made on demand

    /// `source` is an encoder-decoder's source; the tokens are then those of its target.
    Trace(TokenSequence tokens, Activations activations, TraceInfo info, TokenSequence source = {},
          KeptPatterns kept = {});

    const TokenSequence& tokens() const { return m_tokens; }

    /// Empty unless the model is an encoder-decoder.
    const TokenSequence& sourceTokens() const { return m_source; }

    const TraceInfo& info() const { return m_info; }

    const Activations& activations() const { return m_activations; }

    const KeptPatterns& keptPatterns() const { return m_kept; }

    /// Null when the TraceRequest did not ask for this activation. A pattern that was not kept is
    /// made again from queries and keys, all heads of the layer: the last ones are remembered.
    std::shared_ptr<const Tensor> find(TraceKey key) const;

    /// [n, m]: one head of a pattern, without the others where they are not kept. Null as above,
    /// and for a head that is not there.
    std::shared_ptr<const Tensor> findHead(TraceKey pattern, int head) const;

    /// Of all patterns, kept or made again: sorted.
    std::vector<TraceKey> patternKeys() const;

    /// Query heads of a pattern; 0 without it.
    int headsOf(TraceKey pattern) const;

    /// Kinds of attention that have a pattern, in the order of the computation.
    std::vector<AttentionKind> attentionKinds() const;

    /// 1 + the last layer that has a pattern of this kind; 0 without any.
    int layerCount(AttentionKind kind = AttentionKind::Self) const;

    /// Query heads of those patterns, of the layer with the most; 0 without any.
    int headCount(AttentionKind kind = AttentionKind::Self) const;

    /// Tokens that attend: rows of those patterns.
    const TokenSequence& queryTokens(AttentionKind kind) const;

    /// Tokens attended to: columns of those patterns.
    const TokenSequence& keyTokens(AttentionKind kind) const;

    std::size_t byteCount() const; ///< without patterns made on demand

private:
    class Remembered;

    TokenSequence m_tokens;
    TokenSequence m_source;
    Activations m_activations;
    TraceInfo m_info;
    KeptPatterns m_kept;
    std::shared_ptr<Remembered> m_remembered; ///< null when all patterns are kept; has its own lock
};

using TracePtr = std::shared_ptr<const Trace>;

} // namespace headscope
