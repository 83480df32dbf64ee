#pragma once

#include "ui/workers/tasks/return_path.h"
#include "ui/workers/training/training_runner.h"

namespace headscope::ui {

/// TrainingRunner whose callbacks arrive as signals on the thread that created it. The destructor
/// saves the run and waits.
class TrainingWorker : public QObject
{
    Q_OBJECT

public:
    explicit TrainingWorker(BackendRegistry registry);

    TrainingRunner& runner() { return *m_runner; }

signals:
    void stateChanged(headscope::ui::TrainingPhase state);
    void reported(const QString& sentence);
    void opened(const headscope::ui::OpenedTraining& run);
    void published(const headscope::ui::TrainingSnapshotPtr& snapshot);
    void failed(const QString& sentence);
    void diverged(qint64 step, const QString& sentence, std::optional<qint64> lastGood);

private:
    ReturnPath m_home;
    std::unique_ptr<TrainingRunner> m_runner; // Destroyed first, as it sends through m_home.
};

} // namespace headscope::ui
