#include "ui/pages/attribution/attribution_measurement.h"

#include "core/base/error.h"
#include "ui/session/session.h"

namespace headscope::ui {

AttributionMeasurement::AttributionMeasurement(Session& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
}

AttributionMeasurement::~AttributionMeasurement()
{
    m_stopParts.request_stop();
    m_stopInputs.request_stop();
}

void AttributionMeasurement::ask(const AttributionOptions& options)
{
    m_options = options;
    measure();
    emit changed();
}

void AttributionMeasurement::measure()
{
    const Looking looking = m_session.looking();
    wantParts(looking);
    wantInputs(looking);
}

AttributionMeasurement::Key AttributionMeasurement::keyOf(const Looking& looking) const
{
    return {looking.a,
            looking.b,
            looking.modelA.model,
            looking.modelB.model,
            looking.shown,
            attributionTarget(looking, m_options),
            m_options.head};
}

void AttributionMeasurement::wantParts(const Looking& looking)
{
    const Key key = keyOf(looking);
    if (key == m_partsKey)
        return;
    m_partsKey = key;
    m_stopParts.request_stop();
    m_stopParts = {};
    m_waitsForParts = looking.trace() != nullptr;
    if (!m_waitsForParts) {
        m_parts = {};
        return;
    }
    m_thread.run([this, looking, options = m_options, stop = m_stopParts.get_token()] {
        if (stop.stop_requested())
            return;
        auto parts = attributionParts(looking, options);
        m_path.send([this, looking, parts = std::move(parts), stop] {
            if (stop.stop_requested())
                return;
            m_parts = parts;
            m_computed = looking;
            m_waitsForParts = false;
            emit changed();
        });
    });
}

void AttributionMeasurement::wantInputs(const Looking& looking)
{
    Key key = keyOf(looking);
    key.head.reset();
    if (key == m_inputsKey)
        return;
    m_inputsKey = key;
    m_stopInputs.request_stop();
    m_stopInputs = {};
    m_inputs = {};
    m_waitsForInputs = key.target.has_value();
    if (!m_waitsForInputs)
        return;
    m_thread.run([this, looking, options = m_options, stop = m_stopInputs.get_token()] {
        computeInputs(looking, options, stop);
    });
}

/// On the other thread.
void AttributionMeasurement::computeInputs(const Looking& looking,
                                           const AttributionOptions& options,
                                           const std::stop_token& stop)
{
    const auto tell = [this, stop](double fraction) {
        m_path.send([this, fraction, stop] {
            if (!stop.stop_requested() && m_waitsForInputs)
                emit inputsAdvanced(fraction);
        });
    };
    try {
        if (stop.stop_requested())
            return;
        auto inputs = attributionInputs(looking, options, stop, tell);
        m_path.send([this, inputs = std::move(inputs), stop] {
            if (stop.stop_requested())
                return;
            m_inputs = inputs;
            m_waitsForInputs = false;
            emit changed();
        });
    } catch (const Cancelled&) {
        return; // something else is asked
    }
}

} // namespace headscope::ui
