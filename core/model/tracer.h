#pragma once

#include "core/model/model.h"
#include "core/trace/trace.h"

#include <functional>

namespace headscope {

/// Which activations a trace keeps.
struct TraceRequest
{
    std::vector<std::string> sites; ///< globs over the names of site.h: "blocks.*.attn.hook_pattern"

    bool wants(TraceKey key) const;
    static TraceRequest everything();
    static TraceRequest forViews(); ///< q, k, v, pattern, residuals, logits: what the window shows
};

/// A model with its tokenizer and where they came from: what a person opens.
struct LoadedModel
{
    std::string name; ///< "builtin:stories" or a path
    std::shared_ptr<const Model> model;
    std::shared_ptr<const Tokenizer> tokenizer;
};

/// Makes traces of one model, reusing the positions before the first changed token (prefix cache)
/// when the mask is causal and no intervention differs from the last call. One instance per thread.
class Tracer
{
public:
    Tracer(LoadedModel model, std::unique_ptr<AttentionBackend> backend);

    /// Cuts the text at maxLen tokens (TraceInfo::textTokens tells) and runs it. A text without any
    /// token is run as the vocabulary's end-of-text token alone.
    TracePtr trace(const TokenSequence& tokens, const TraceRequest& request,
                   const Interventions& interventions = {}, std::stop_token stop = {});

    const LoadedModel& model() const { return m_model; }
    AttentionBackend& backend() { return *m_backend; }

private:
    LoadedModel m_model;
    std::unique_ptr<AttentionBackend> m_backend;
    KvCache m_cache;
    TracePtr m_last;              ///< null, or the trace whose prefix may be reused
    std::string m_lastSettings;
};

} // namespace headscope
