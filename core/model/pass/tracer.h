#pragma once

#include "core/model/model.h"
#include "core/trace/trace.h"

#include <functional>
#include <limits>

namespace headscope {

/// Which activations a trace keeps.
struct TraceRequest
{
    std::vector<std::string> sites; ///< globs over names: "blocks.*.attn.hook_pattern"

    /// Patterns of a text that take more bytes than this are not kept but made on demand
    /// (Trace::findHead).
    std::size_t patternBudget = std::numeric_limits<std::size_t>::max();

    bool wants(TraceKey key) const;
    static TraceRequest everything();
    static TraceRequest
    forViews(); ///< q, k, v, z, pattern, residual stream and what is added to it,
                ///< logits: what the window shows
};

/// A model with its tokenizer and where they came from: what a person opens.
struct LoadedModel
{
    std::string name; ///< "builtin:stories" or a path
    std::shared_ptr<const Model> model;
    std::shared_ptr<const Tokenizer> tokenizer;
};

/// Two texts of an encoder-decoder. Other models have a target alone.
struct SourceAndTarget
{
    TokenSequence source;
    TokenSequence target;
};

/// Makes traces of one model, reusing the positions before the first changed token (prefix cache)
/// when the mask lets no query see later keys, no intervention differs from the last call, none is
/// a patch or an edit, and the last trace holds all that is asked for. Of an encoder-decoder that
/// is the target, and the encoded source while it stays the same. A text whose patterns come to take
/// more than the budget is computed anew once. One instance per thread.
class Tracer
{
public:
    Tracer(LoadedModel model, std::unique_ptr<AttentionBackend> backend);

    /// Cuts the text at maxLen tokens (TraceInfo::textTokens tells) and runs it. A text without any
    /// token is run as the vocabulary's end-of-text token alone. Throws Error for an
    /// encoder-decoder.
    TracePtr trace(const TokenSequence& tokens, const TraceRequest& request,
                   const Interventions& interventions = {}, std::stop_token stop = {});

    /// Teacher forcing of an encoder-decoder: `target` is what its decoder reads, start token
    /// included. Both are cut, and run when empty, as above. Throws Error for other models.
    TracePtr trace(const SourceAndTarget& texts, const TraceRequest& request,
                   const Interventions& interventions = {}, std::stop_token stop = {});

    /// Makes the next trace compute everything.
    void forget();

    /// Called on the computing thread as the pass goes through the model: 0 to 1. May be empty.
    void setListener(std::function<void(double fraction)> listener);

    const LoadedModel& model() const { return m_model; }

    AttentionBackend& backend() { return *m_backend; }

private:
    TokenSequence runnable(const TokenSequence& tokens) const;
    TracePtr run(SourceAndTarget shown, TraceInfo info, const TraceRequest& request,
                 const ForwardOptions& options);
    bool reusePrefix(const SourceAndTarget& shown, const TraceRequest& request,
                     const Interventions& interventions, const std::string& settings);

    LoadedModel m_model;
    std::unique_ptr<AttentionBackend> m_backend;
    KvCache m_cache;
    TracePtr m_last; ///< null, or the trace whose prefix may be reused
    std::string m_lastSettings;
    std::vector<std::string> m_lastSites;
    std::vector<TraceKey> m_wanted; ///< what m_lastSites asks for, sorted
    std::function<void(double)> m_listener;
};

} // namespace headscope
