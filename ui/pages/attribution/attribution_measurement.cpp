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
    const ViewSnapshot view = m_session.viewSnapshot();
    wantParts(view);
    wantInputs(view);
}

AttributionMeasurement::Key AttributionMeasurement::keyOf(const ViewSnapshot& view) const
{
    return {view.a,
            view.b,
            view.modelA.model,
            view.modelB.model,
            view.shown,
            attributionTarget(view, m_options),
            m_options.head};
}

void AttributionMeasurement::wantParts(const ViewSnapshot& view)
{
    const Key key = keyOf(view);
    if (key == m_partsKey)
        return;
    m_partsKey = key;
    m_partsTask.cancel();
    if (!view.trace()) {
        m_parts = {};
        return;
    }
    m_partsTask.start([view, options = m_options](
                          const LatestTask::Control&) { return attributionParts(view, options); },
                      [this, view](const OfRuns<AttributionParts>& parts) {
                          m_parts = parts;
                          m_computed = view;
                          emit changed();
                      });
}

void AttributionMeasurement::wantInputs(const ViewSnapshot& view)
{
    Key key = keyOf(view);
    key.head.reset();
    if (key == m_inputsKey)
        return;
    m_inputsKey = key;
    m_inputsTask.cancel();
    m_inputs = {};
    if (!key.target)
        return;
    m_inputsTask.start(
        [this, view, options = m_options](const LatestTask::Control& control) {
            const auto tell = [&](double fraction) {
                control.tell([this, fraction] { emit inputsAdvanced(fraction); });
            };
            return attributionInputs(view, options, control.stop(), tell);
        },
        [this](const OfRuns<AttributionInputs>& inputs) {
            m_inputs = inputs;
            emit changed();
        });
}

} // namespace headscope::ui
