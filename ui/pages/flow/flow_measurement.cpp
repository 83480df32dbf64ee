#include "ui/pages/flow/flow_measurement.h"

#include "ui/session/session.h"

namespace headscope::ui {

namespace {

constexpr double kAtOnce = 2e6; // Limit of multiplications on the GUI thread.

} // namespace

FlowMeasurement::FlowMeasurement(Session& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
}

bool FlowMeasurement::measure(const FlowOptions& options)
{
    const ViewSnapshot view = m_session.viewSnapshot();
    const Source source{view.a, view.b, view.shown, flowStack(view), options.mode, options.measure};
    if (source == m_source) {
        if (!isWaiting())
            m_computed = view;
        return true;
    }
    m_source = source;
    m_task.cancel();
    if (flowCost(view, options) <= kAtOnce) {
        take(view, flowMixings(view, options));
        return true;
    }
    m_task.start(
        [this, view, options](const LatestTask::Control& control) {
            const auto tell = [&](double fraction) {
                control.tell([this, fraction] { emit advanced(fraction); });
            };
            return flowMixings(view, options, control.stop(), tell);
        },
        [this, view](const FlowMixings& mixings) {
            take(view, mixings);
            emit changed();
        });
    return false;
}

void FlowMeasurement::take(const ViewSnapshot& view, const FlowMixings& mixings)
{
    m_computed = view;
    m_mixings = mixings;
}

void FlowMeasurement::followSelection()
{
    m_computed.selection = m_session.selection();
    m_computed.stale = m_session.computation().isStale() || isWaiting();
}

} // namespace headscope::ui
