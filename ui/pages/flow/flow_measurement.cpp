#include "ui/pages/flow/flow_measurement.h"

#include "core/base/error.h"
#include "ui/session/session.h"

namespace headscope::ui {

namespace {

constexpr double kAtOnce = 2e6; // multiplications that the GUI thread may do itself

} // namespace

FlowMeasurement::FlowMeasurement(Session& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
}

FlowMeasurement::~FlowMeasurement()
{
    m_stop.request_stop();
}

bool FlowMeasurement::measure(const FlowOptions& options)
{
    const Looking looking = m_session.looking();
    const Source source{looking.a,          looking.b,    looking.shown,
                        flowStack(looking), options.mode, options.measure};
    if (source == m_source) {
        if (!m_waits)
            m_computed = looking;
        return true;
    }
    m_source = source;
    m_stop.request_stop();
    m_stop = {};
    const quint64 generation = ++m_generation;
    m_waits = flowCost(looking, options) > kAtOnce;
    if (!m_waits) {
        m_computed = looking;
        m_mixings = flowMixings(looking, options);
        return true;
    }
    m_thread.run([this, looking, options, generation, stop = m_stop.get_token()] {
        if (generation == m_generation)
            compute(looking, options, generation, stop);
    });
    return false;
}

/// On the other thread.
void FlowMeasurement::compute(const Looking& looking, const FlowOptions& options,
                              quint64 generation, const std::stop_token& stop)
{
    const auto tell = [this, generation](double fraction) {
        QMetaObject::invokeMethod(this, [this, fraction, generation] {
            if (generation == m_generation && m_waits)
                emit advanced(fraction);
        });
    };
    try {
        const FlowMixings mixings = flowMixings(looking, options, stop, tell);
        QMetaObject::invokeMethod(this, [this, looking, mixings, generation] {
            if (generation != m_generation)
                return;
            m_computed = looking;
            m_waits = false;
            m_mixings = mixings;
            emit changed();
        });
    } catch (const Cancelled&) {
        return; // something else is wanted
    }
}

void FlowMeasurement::followSelection()
{
    m_computed.selection = m_session.selection();
    m_computed.stale = m_session.computation().isStale() || m_waits;
}

} // namespace headscope::ui
