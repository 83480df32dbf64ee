#include "ui/pages/lens/lens_measurement.h"

#include "ui/session/session.h"

namespace headscope::ui {

LensMeasurement::LensMeasurement(Session& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
    connect(&m_meter, &LensMeter::measured, this, [this] {
        if (m_meter.subject() == m_askedJob)
            m_shown = m_asked;
        emit measured();
    });
    connect(&m_meter, &LensMeter::advanced, this, &LensMeasurement::advanced);
}

void LensMeasurement::measure(const LensChoice& choice, const TunedLensPtr& tuned)
{
    const ViewSnapshot view = m_session.viewSnapshot();
    const bool waitsForB = view.a && !view.b && !view.changes.empty();
    if (waitsForB) // Keep the last image until B is available.
        return;
    LensJob job = lensJob(view, choice, tuned);
    if (choice.tuned && !tuned)
        job.a = job.b = nullptr; // No lens available yet.
    m_asked = view;
    m_askedJob = job;
    m_meter.measure(job);
}

void LensMeasurement::cancel()
{
    m_meter.cancel();
}

void LensMeasurement::follow()
{
    if (!isMeasuring())
        m_shown.shown = m_shown.b ? m_session.view().shownVariant() : Variant::A;
    m_shown.colourMap = m_session.view().colourMap();
    followSelection();
}

void LensMeasurement::followSelection()
{
    m_shown.selection = m_session.selection();
}

} // namespace headscope::ui
