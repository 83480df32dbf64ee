#include "ui/pages/attribution/attribution_measurement.h"

#include "ui/session/session.h"

namespace headscope::ui {

AttributionMeasurement::AttributionMeasurement(Session& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
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
    m_partsTask.cancel();
    if (!looking.trace()) {
        m_parts = {};
        return;
    }
    m_partsTask.start(
        [looking, options = m_options](const LatestTask::Control&) {
            return attributionParts(looking, options);
        },
        [this, looking](const OfRuns<AttributionParts>& parts) {
            m_parts = parts;
            m_computed = looking;
            emit changed();
        });
}

void AttributionMeasurement::wantInputs(const Looking& looking)
{
    Key key = keyOf(looking);
    key.head.reset();
    if (key == m_inputsKey)
        return;
    m_inputsKey = key;
    m_inputsTask.cancel();
    m_inputs = {};
    if (!key.target)
        return;
    m_inputsTask.start(
        [this, looking, options = m_options](const LatestTask::Control& control) {
            const auto tell = [&](double fraction) {
                control.tell([this, fraction] { emit inputsAdvanced(fraction); });
            };
            return attributionInputs(looking, options, control.stop(), tell);
        },
        [this](const OfRuns<AttributionInputs>& inputs) {
            m_inputs = inputs;
            emit changed();
        });
}

} // namespace headscope::ui
