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
    const Looking looking = m_session.looking();
    const Source source{looking.a,          looking.b,    looking.shown,
                        flowStack(looking), options.mode, options.measure};
    if (source == m_source) {
        if (!isWaiting())
            m_computed = looking;
        return true;
    }
    m_source = source;
    m_task.cancel();
    if (flowCost(looking, options) <= kAtOnce) {
        take(looking, flowMixings(looking, options));
        return true;
    }
    m_task.start(
        [this, looking, options](const LatestTask::Control& control) {
            const auto tell = [&](double fraction) {
                control.tell([this, fraction] { emit advanced(fraction); });
            };
            return flowMixings(looking, options, control.stop(), tell);
        },
        [this, looking](const FlowMixings& mixings) {
            take(looking, mixings);
            emit changed();
        });
    return false;
}

void FlowMeasurement::take(const Looking& looking, const FlowMixings& mixings)
{
    m_computed = looking;
    m_mixings = mixings;
}

void FlowMeasurement::followSelection()
{
    m_computed.selection = m_session.selection();
    m_computed.stale = m_session.computation().isStale() || isWaiting();
}

} // namespace headscope::ui
