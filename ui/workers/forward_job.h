#pragma once

#include "core/model/tracer.h"
#include "ui/widgets/head_grid.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string>

namespace headscope::ui {

/// One text to look at. Everything the worker needs, by value or immutable.
struct ForwardJob
{
    std::uint64_t ticket = 0;
    LoadedModel model;
    std::string text;                           ///< used when `tokens` is empty
    std::optional<TokenSequence> tokens;        ///< of `text`, when they are known already
    std::optional<Interventions> interventions; ///< set: a second trace B is wanted
    TraceRequest request;
    std::string device = "cpu"; ///< a choice of BackendRegistry::create
};

/// The answer to one job. `b` is null when no interventions were asked for.
struct ForwardResult
{
    std::uint64_t ticket = 0;
    TracePtr a;
    TracePtr b;
    std::vector<ThumbnailPtr> thumbnailsA; ///< layer-major, one per head
    std::vector<ThumbnailPtr> thumbnailsB;
    double elapsedMs = 0.0; ///< tokenizing and both passes, on the worker
};

} // namespace headscope::ui
