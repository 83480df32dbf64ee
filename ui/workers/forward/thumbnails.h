#pragma once

#include "ui/workers/forward/patterns.h"

#include <functional>
#include <stop_token>

namespace headscope::ui {

/// Makes the thumbnails of one tracer's traces, one after the other. Where a text grew or shrank,
/// only the rows that the tracer computed anew are looked at again. Belongs to one thread.
class Thumbnails
{
public:
    using Listener = std::function<void(double fraction)>;

    /// Throws Cancelled. `trace` follows the one of the last call in the tracer.
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

    std::map<AttentionKind, Part> m_last; ///< empty while nothing may be taken over
};

/// Thumbnails of all patterns of one trace.
PartThumbnails thumbnailsOf(const Trace& trace);

/// Of B - A, on the scale -1 to 1, where both have the same tokens' count; empty elsewhere. Throws
/// Cancelled.
PartThumbnails differenceThumbnails(const Trace& a, const Trace& b,
                                    const std::stop_token& stop = {});

} // namespace headscope::ui
