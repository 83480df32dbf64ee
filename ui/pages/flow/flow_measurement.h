#pragma once

#include "ui/pages/flow/flow_fractions.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

namespace headscope::ui {

class Session;

/// Edge weights of a session's traces, computed at once where that is fast, otherwise on a separate
/// thread while the last ones are kept.
class FlowMeasurement : public QObject
{
    Q_OBJECT

public:
    explicit FlowMeasurement(Session& session, QObject* parent = nullptr);

    const FlowMixings& mixings() const { return m_mixings; }

    /// Traces from which the weights were computed.
    const ViewSnapshot& computed() const { return m_computed; }

    bool isWaiting() const
    {
        return m_task.isRunning();
    } ///< Progress of the computation on the other thread.

    /// Returns false when newer weights are pending: changed() follows.
    bool measure(const FlowOptions& options);

    void followSelection(); ///< Follows the session's selection; needs no new weights.

signals:
    void changed();
    void advanced(double fraction);

private:
    /// Key of the weights; equal keys have equal weights.
    struct Source
    {
        TracePtr a, b;
        Variant shown = Variant::A;
        Stack stack = Stack::Blocks;
        FlowMode mode = FlowMode::Rollout;
        ContributionMeasure measure = ContributionMeasure::Length;

        friend bool operator==(const Source&, const Source&) = default;
    };

    void take(const ViewSnapshot& view, const FlowMixings& mixings);

    Session& m_session;
    Source m_source;
    ViewSnapshot m_computed;
    FlowMixings m_mixings;
    LatestTask m_task;
};

} // namespace headscope::ui
