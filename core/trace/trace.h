#pragma once

#include "core/tensor/tensor.h"
#include "core/text/tokenizer.h"
#include "core/trace/site.h"

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

    /// `source` is an encoder-decoder's source; the tokens are then those of its target.
    Trace(TokenSequence tokens, Activations activations, TraceInfo info, TokenSequence source = {});

    const TokenSequence& tokens() const { return m_tokens; }

    /// Empty unless the model is an encoder-decoder.
    const TokenSequence& sourceTokens() const { return m_source; }

    const TraceInfo& info() const { return m_info; }

    const Activations& activations() const { return m_activations; }

    /// Null when the TraceRequest did not ask for this activation.
    std::shared_ptr<const Tensor> find(TraceKey key) const;

    /// 1 + the last layer of the stack that has a pattern; 0 without any.
    int layerCount(Stack stack = Stack::Blocks) const;

    /// Query heads of those patterns; 0 without any.
    int headCount(Stack stack = Stack::Blocks) const;

    std::size_t byteCount() const;

private:
    TokenSequence m_tokens;
    TokenSequence m_source;
    Activations m_activations;
    TraceInfo m_info;
};

using TracePtr = std::shared_ptr<const Trace>;

} // namespace headscope
