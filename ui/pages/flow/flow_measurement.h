#pragma once

#include "ui/pages/flow/flow_shares.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

namespace headscope::ui {

class Session;

/// The shares of a session's runs, at once where that is quick, else on a thread of its own while
/// the last ones stay.
class FlowMeasurement : public QObject
{
    Q_OBJECT

public:
    explicit FlowMeasurement(Session& session, QObject* parent = nullptr);

    const FlowMixings& mixings() const { return m_mixings; }

    const Looking& computed() const { return m_computed; } ///< What the shares were made from.

    bool isWaiting() const
    {
        return m_task.isRunning();
    } ///< For shares that the other thread computes.

    /// False when newer shares have to be waited for: changed() follows.
    bool measure(const FlowOptions& options);

    void followSelection(); ///< Of the session, which needs no new shares.

signals:
    void changed();
    void advanced(double fraction);

private:
    /// What shares depend on; equal keys have equal shares.
    struct Source
    {
        TracePtr a, b;
        Variant shown = Variant::A;
        Stack stack = Stack::Blocks;
        FlowMode mode = FlowMode::Rollout;
        ContributionMeasure measure = ContributionMeasure::Length;

        friend bool operator==(const Source&, const Source&) = default;
    };

    void take(const Looking& looking, const FlowMixings& mixings);

    Session& m_session;
    Source m_source;
    Looking m_computed;
    FlowMixings m_mixings;
    LatestTask m_task;
};

} // namespace headscope::ui
