#pragma once

#include "ui/session/runs/run_draft.h"
#include "ui/workers/training/run_meter.h"

#include <QTimer>

class QWidget;

namespace headscope::ui {

class Session;

/// Estimates time and memory of a draft: measured once editing pauses, while its page is visible.
class RunEstimator : public QObject
{
    Q_OBJECT

public:
    RunEstimator(const RunDraft& draft, const Session& session, const QWidget& page);

    const RunEstimate& estimate() const { return m_estimate; }

    bool isSettled() const { return m_estimate.isComplete || !m_draft.isValid(); }

    void restart(); ///< Restarts for another draft.
    void resume();  ///< Resumes when the page is shown.

    bool isMeasuringBaseline() const { return m_isMeasuringBaseline; }

    void toggleBaseline(); ///< Starts or cancels.

signals:
    void changed();
    /// Emitted while it is measured, or with the reason why it was not.
    void baselineReported(const QString& sentence);

private:
    void connectMeter();
    void take(const RunEstimate& estimate);

    const RunDraft& m_draft;
    const Session& m_session;
    const QWidget& m_page;
    RunEstimate m_estimate;
    bool m_isMeasuringBaseline = false;
    QTimer m_pause;
    RunMeter m_meter; // Last member: its threads end before the rest is destroyed.
};

} // namespace headscope::ui
