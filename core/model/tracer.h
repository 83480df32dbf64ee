#pragma once

#include "core/model/model.h"
#include "core/trace/trace.h"

#include <functional>

namespace headscope {

/// Which activations a trace keeps.
struct TraceRequest
{
    std::vector<std::string> sites; ///< globs over names: "blocks.*.attn.hook_pattern"

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
/// when the mask lets no query see later keys, no intervention differs from the last call and the
/// last trace holds all that is asked for. One instance per thread.
class Tracer
{
public:
    Tracer(LoadedModel model, std::unique_ptr<AttentionBackend> backend);

    /// Cuts the text at maxLen tokens (TraceInfo::textTokens tells) and runs it. A text without any
    /// token is run as the vocabulary's end-of-text token alone.
    TracePtr trace(const TokenSequence& tokens, const TraceRequest& request,
                   const Interventions& interventions = {}, std::stop_token stop = {});

    /// Makes the next trace compute every position.
    void forget();

    const LoadedModel& model() const { return m_model; }

    AttentionBackend& backend() { return *m_backend; }

private:
    TokenSequence runnable(const TokenSequence& tokens) const;
    void reusePrefix(const std::vector<TokenId>& ids, const TraceRequest& request,
                     const Interventions& interventions, const std::string& settings);

    LoadedModel m_model;
    std::unique_ptr<AttentionBackend> m_backend;
    KvCache m_cache;
    TracePtr m_last; ///< null, or the trace whose prefix may be reused
    std::vector<TokenId> m_lastIds;
    std::string m_lastSettings;
    std::vector<std::string> m_lastSites;
    std::vector<TraceKey> m_wanted; ///< what m_lastSites asks for
};

} // namespace headscope
