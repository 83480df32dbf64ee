#pragma once

#include "ui/workers/forward/patterns.h"

#include <functional>
#include <stop_token>

namespace headscope::ui {

/// Creates the thumbnails of successive traces of one tracer. After an edit, only the rows that the
/// tracer recomputed are read again. Used on one thread.
class Thumbnails
{
public:
    using Listener = std::function<void(double fraction)>;

    /// Thumbnails of `trace`, which follows the one of the previous call. Throws Cancelled.
    PartThumbnails of(const Trace& trace, const std::stop_token& stop, const Listener& listener);

    void forget() { m_last.clear(); }

private:
    struct Part
    {
        int rows = 0;
        int columns = 0;
        std::vector<ThumbnailPtr> heads;
    };

    struct Watch
    {
        const std::stop_token& stop;
        const Listener& listener;
    };

    static Part partOf(const Trace& trace, AttentionKind part, const Part& before,
                       const Watch& watch);

    std::map<AttentionKind, Part> m_last; ///< Empty while nothing can be reused.
};

/// Thumbnails of all patterns of one trace.
PartThumbnails thumbnailsOf(const Trace& trace);

/// Thumbnails of B − A, on a scale from −1 to 1, where both have the same number of tokens; empty
/// elsewhere. Throws Cancelled.
PartThumbnails differenceThumbnails(const Trace& a, const Trace& b,
                                    const std::stop_token& stop = {});

} // namespace headscope::ui
