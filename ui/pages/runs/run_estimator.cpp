#include "ui/pages/runs/run_estimator.h"

#include "core/experiments/task_baseline.h"
#include "ui/session/session.h"

#include <QWidget>

namespace headscope::ui {

namespace {

constexpr int kPauseMs = 400;

} // namespace

RunEstimator::RunEstimator(const RunDraft& draft, const Session& session, const QWidget& page)
    : m_draft(draft)
    , m_session(session)
    , m_page(page)
    , m_meter(session.registry())
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, [this] {
        if (m_page.isVisible())
            m_meter.measure(m_draft.config(), m_session.computation().device().toStdString());
    });
    connectMeter();
}

void RunEstimator::connectMeter()
{
    connect(&m_meter, &RunMeter::measured, this, &RunEstimator::take);
    connect(&m_meter, &RunMeter::reported, this, [this](const QString& sentence) {
        if (m_isMeasuringBaseline)
            emit baselineReported(sentence);
    });
    connect(&m_meter, &RunMeter::baselineMeasured, this, [this](const TaskBaseline& baseline) {
        if (m_isMeasuringBaseline)
            m_estimate.baseline = baseline;
        m_isMeasuringBaseline = false;
        emit changed();
    });
    connect(&m_meter, &RunMeter::baselineFailed, this, [this](const QString& sentence) {
        m_isMeasuringBaseline = false;
        emit changed();
        if (!sentence.isEmpty())
            emit baselineReported(sentence);
    });
}

void RunEstimator::restart()
{
    m_estimate = {};
    if (m_draft.isValid())
        m_pause.start();
    else
        m_pause.stop();
    m_isMeasuringBaseline = false;
    m_meter.cancelBaseline();
}

void RunEstimator::resume()
{
    if (!isSettled())
        m_pause.start();
}

/// Keeps a baseline that was already measured.
void RunEstimator::take(const RunEstimate& estimate)
{
    const auto baseline = m_estimate.baseline;
    m_estimate = estimate;
    if (!m_estimate.baseline)
        m_estimate.baseline = baseline;
    emit changed();
}

void RunEstimator::toggleBaseline()
{
    m_isMeasuringBaseline = !m_isMeasuringBaseline;
    if (m_isMeasuringBaseline)
        m_meter.measureBaseline(m_draft.config());
    else
        m_meter.cancelBaseline();
    emit changed();
}

} // namespace headscope::ui
