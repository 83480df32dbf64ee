#pragma once

#include "ui/pages/shared/maps/attributed_maps.h"
#include "ui/workers/tasks/latest_task.h"

#include <deque>

namespace headscope::ui {

/// Computes attributions on its own thread and caches the last ones. Used on the GUI thread.
class AttributedSource
{
public:
    /// Source that calls `changed` when the requested maps are complete, and on progress.
    explicit AttributedSource(std::function<void()> changed);

    /// Requests maps; cancels any other computation.
    void want(const ViewSnapshot& view, const AttributedChoice& choice);

    bool waits() const { return m_task.isRunning(); }

    double fraction() const { return m_fraction; } ///< Completed fraction while it waits.

    /// Requested maps; empty while it waits, and for kinds that are not attributions.
    const AttributedRuns& runs() const { return m_runs; }

private:
    /// Key of a request; equal keys have equal maps.
    struct Key
    {
        AttributedChoice choice;
        TracePtr a, b;
        std::shared_ptr<const Model> modelA, modelB;
        AttentionKind part = AttentionKind::Self;
        Variant shown = Variant::A;

        friend bool operator==(const Key&, const Key&) = default;
    };

    struct Made
    {
        Key key;
        AttributedRuns runs;
    };

    static Key keyOf(const ViewSnapshot& view, const AttributedChoice& choice);
    void make(const ViewSnapshot& view, const Key& key);

    std::function<void()> m_changed;
    std::optional<Key> m_wanted;
    AttributedRuns m_runs;
    double m_fraction = 0.0;
    std::deque<Made> m_made; ///< Newest first.
    LatestTask m_task;
};

} // namespace headscope::ui
