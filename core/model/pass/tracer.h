#pragma once

#include "core/model/model.h"
#include "core/trace/trace.h"

#include <functional>
#include <limits>

namespace headscope {

class ChatTemplate;
class Error;
struct RecordingPlan;

/// Activations to record in a trace.
struct TraceRequest
{
    std::vector<std::string> sites; ///< Globs over names: "blocks.*.attn.hook_pattern".

    /// Size in bytes above which the patterns of a text are not retained but computed on demand
    /// (Trace::findHead).
    std::size_t patternBudget = std::numeric_limits<std::size_t>::max();

    /// Size in bytes above which most other activations of a text are not recorded but computed
    /// from the rest when they are read (recordingPlan).
    std::size_t activationBudget = std::numeric_limits<std::size_t>::max();

    bool wants(TraceKey key) const;
    static TraceRequest everything();
    /// Sites that views read: q, k, v, z, pattern, residual stream and what is added to it,
    /// experts of each token, logits.
    static TraceRequest forViews();
    /// forViews() with what one trace may take in the window: 512 MiB of patterns, and as much of
    /// the rest.
    static TraceRequest forWindow();
};

/// A model as opened by the user, with its tokenizer and origin.
struct LoadedModel
{
    std::string name; ///< Name: "builtin:stories" or a path.
    std::shared_ptr<const Model> model;
    std::shared_ptr<const Tokenizer> tokenizer;
    /// Null for a model that reads no chats.
    std::shared_ptr<const ChatTemplate> chatTemplate = nullptr;
    std::shared_ptr<const Error> chatError = nullptr; ///< What prevented reading it, or null.
};

/// Two texts of an encoder-decoder. Other models have a target alone.
struct SourceAndTarget
{
    TokenSequence source;
    TokenSequence target;
};

/// Traces one model, reusing the positions before the first changed token (prefix cache) when the
/// mask lets no query see later keys, the interventions are those of the last call without patches
/// or edits, and the last trace contains everything requested. In an encoder-decoder that is the
/// target, and the encoded source while it is unchanged. A text whose patterns grow beyond the
/// budget, or whose other activations cross theirs, is recomputed once. One instance per thread.
class Tracer
{
public:
    Tracer(LoadedModel model, std::unique_ptr<AttentionBackend> backend);

    /// Traces a text, truncated to maxLen tokens (reported by TraceInfo::textTokens). An empty text
    /// is replaced by the vocabulary's end-of-text token. Throws Error for an encoder-decoder.
    TracePtr trace(const TokenSequence& tokens, const TraceRequest& request,
                   const Interventions& interventions = {}, std::stop_token stop = {});

    /// Teacher forcing of an encoder-decoder: `target` is the input of its decoder, start token
    /// included. Both texts are truncated, or replaced when empty, as above. Throws Error for other
    /// models.
    TracePtr trace(const SourceAndTarget& texts, const TraceRequest& request,
                   const Interventions& interventions = {}, std::stop_token stop = {});

    /// Makes the next trace compute everything.
    void forget();

    /// Sets a function called on the computing thread with the progress of the pass: 0 to 1. May be
    /// empty.
    void setListener(std::function<void(double fraction)> listener);

    const LoadedModel& model() const { return m_model; }

private:
    TokenSequence runnable(const TokenSequence& tokens) const;
    TracePtr run(SourceAndTarget shown, TraceInfo info, const TraceRequest& request,
                 const ForwardOptions& options);
    void want(const TraceRequest& request);
    bool reusePrefix(const SourceAndTarget& shown, const RecordingPlan& plan,
                     const Interventions& interventions, const std::string& settings);

    LoadedModel m_model;
    std::unique_ptr<AttentionBackend> m_backend;
    KvCache m_cache;
    TracePtr m_last; ///< Null, or the trace whose prefix may be reused.
    std::string m_lastSettings;
    std::vector<std::string> m_lastSites;
    std::vector<TraceKey> m_wanted; ///< Activations requested by m_lastSites, sorted.
    std::function<void(double)> m_listener;
};

} // namespace headscope
