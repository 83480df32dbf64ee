#pragma once

#include "ui/session/runs/run_draft.h"
#include "ui/workers/training/run_meter.h"

#include <QTimer>

class QWidget;

namespace headscope::ui {

class Session;

/// What the run of a draft will take: measured once the draft rests, while its page is seen.
class RunEstimator : public QObject
{
    Q_OBJECT

public:
    RunEstimator(const RunDraft& draft, const Session& session, const QWidget& page);

    const RunEstimate& estimate() const { return m_estimate; }

    bool isSettled() const { return m_estimate.isComplete || !m_draft.isValid(); }

    void restart(); ///< the draft is another
    void resume();  ///< the page is seen

    bool isMeasuringBaseline() const { return m_isMeasuringBaseline; }

    void toggleBaseline(); ///< begins, or cancels

signals:
    void changed();
    void baselineSaid(const QString& sentence); ///< while it is measured, or why it was not

private:
    void connectMeter();
    void take(const RunEstimate& estimate);

    const RunDraft& m_draft;
    const Session& m_session;
    const QWidget& m_page;
    RunEstimate m_estimate;
    bool m_isMeasuringBaseline = false;
    QTimer m_pause;
    RunMeter m_meter; // last: its threads end before the rest does
};

} // namespace headscope::ui
