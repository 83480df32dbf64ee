#pragma once

#include "ui/pages/shared/maps/attributed_maps.h"
#include "ui/workers/tasks/latest_task.h"

#include <deque>

namespace headscope::ui {

/// Makes attributions on a thread of its own and remembers the last ones. On the GUI thread.
class AttributedSource
{
public:
    /// `changed` is called when what was wanted is there, and as it advances.
    explicit AttributedSource(std::function<void()> changed);

    /// What is wanted from now on; what was being made for something else is given up.
    void want(const Looking& looking, const AttributedChoice& choice);

    bool waits() const { return m_task.isRunning(); }

    double fraction() const { return m_fraction; } ///< while it waits

    /// What was wanted; empty while it waits, and for kinds that are no attributions.
    const AttributedRuns& runs() const { return m_runs; }

private:
    /// Equal keys have equal maps.
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

    static Key keyOf(const Looking& looking, const AttributedChoice& choice);
    void make(const Looking& looking, const Key& key);

    std::function<void()> m_changed;
    std::optional<Key> m_wanted;
    AttributedRuns m_runs;
    double m_fraction = 0.0;
    std::deque<Made> m_made; ///< newest first
    LatestTask m_task;
};

} // namespace headscope::ui
