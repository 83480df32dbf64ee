#pragma once

#include "core/model/pass/tracer.h"
#include "core/text/chat/chat_input.h"
#include "ui/workers/forward/patterns.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace headscope::ui {

/// Input text of a forward pass. For an encoder-decoder, `text` is the source and `target` the
/// decoder's input.
struct RunText
{
    std::string text;                    ///< Text to tokenize; used when `tokens` is empty.
    std::optional<TokenSequence> tokens; ///< Tokens of `text`, when already known.
    std::string target;                  ///< Decoder's text; empty: the model's own output.
    /// Read in place of `text`, through the template of the model that runs.
    std::optional<ChatInput> chat;

    friend bool operator==(const RunText&, const RunText&) = default;
};

/// Context from which B's changes are resolved, on the worker's thread.
struct SecondRunContext
{
    const Trace& a;
    const LoadedModel& model; ///< Model of B.
    /// Number of tokens of B (of its target), truncated to the model's context.
    std::int64_t tokens = 0;
    /// Number of an encoder-decoder's source tokens, truncated likewise; else 0.
    std::int64_t sourceTokens = 0;
    /// Trace of an unchanged forward pass of B's model on another text; the last few are cached.
    std::function<TracePtr(const RunText&)> traceOf;
};

/// Forward pass of B: the same or another model and text, with changes.
struct SecondRun
{
    LoadedModel model;
    RunText text;
    std::function<Interventions(const SecondRunContext&)> interventions;
};

/// One text to compute, with all inputs by value or immutable.
struct ForwardJob
{
    std::uint64_t ticket = 0;
    LoadedModel model;
    RunText text;
    std::optional<SecondRun> second; ///< Set when a second trace B is requested.
    TraceRequest request;
    std::string device = "cpu"; ///< Device, one of the choices of BackendRegistry::create.
};

/// Result of one job. `b` is null when no second forward pass was requested or when it failed.
struct ForwardResult
{
    std::uint64_t ticket = 0;
    TracePtr a;
    TracePtr b;
    QString problem; ///< Reason why B is missing, as one sentence; else empty.
    PartThumbnails thumbnailsA;
    PartThumbnails thumbnailsB;
    /// Thumbnails of B − A, for parts with equally many tokens in both.
    PartThumbnails thumbnailsDifference;
    double elapsedMs = 0.0; ///< Time for tokenizing and both forward passes on the worker.
};

} // namespace headscope::ui
