#pragma once

#include "core/model/pass/tracer.h"
#include "ui/workers/forward/patterns.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace headscope::ui {

/// What a run reads. Of an encoder-decoder `text` is the source, `target` what its decoder reads.
struct RunText
{
    std::string text;                    ///< used when `tokens` is empty
    std::optional<TokenSequence> tokens; ///< of `text`, when they are known already
    std::string target;                  ///< empty: what the model answers by itself

    friend bool operator==(const RunText&, const RunText&) = default;
};

/// What the changes of B are made from, on the worker's thread.
struct SecondRunContext
{
    const Trace& a;
    const LoadedModel& model;      ///< of B
    std::int64_t tokens = 0;       ///< of B (of its target), cut at what the model takes
    std::int64_t sourceTokens = 0; ///< of an encoder-decoder's source, cut likewise; else 0
    /// An unchanged run of B's model on another text; the last few are kept.
    std::function<TracePtr(const RunText&)> traceOf;
};

/// B: the same or another model and text, with changes.
struct SecondRun
{
    LoadedModel model;
    RunText text;
    std::function<Interventions(const SecondRunContext&)> interventions;
};

/// One text to look at. Everything the worker needs, by value or immutable.
struct ForwardJob
{
    std::uint64_t ticket = 0;
    LoadedModel model;
    RunText text;
    std::optional<SecondRun> second; ///< set: a second trace B is wanted
    TraceRequest request;
    std::string device = "cpu"; ///< a choice of BackendRegistry::create
};

/// The answer to one job. `b` is null when no second run was asked for, or when it failed.
struct ForwardResult
{
    std::uint64_t ticket = 0;
    TracePtr a;
    TracePtr b;
    QString problem; ///< why there is no B, one sentence; else empty
    PartThumbnails thumbnailsA;
    PartThumbnails thumbnailsB;
    PartThumbnails thumbnailsDifference; ///< where both have as many tokens
    double elapsedMs = 0.0;              ///< tokenizing and both passes, on the worker
};

} // namespace headscope::ui
