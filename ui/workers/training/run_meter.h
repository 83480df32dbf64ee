#pragma once

#include "core/attention/backend_registry.h"
#include "core/experiments/task_baseline.h"
#include "core/experiments/task_catalogue.h"
#include "ui/workers/tasks/latest_task.h"

#include <QString>

#include <optional>

namespace headscope::ui {

/// What a run will take, before it is started.
struct RunEstimate
{
    std::int64_t vocabulary = 0;
    std::int64_t parameters = 0;
    std::int64_t bytes = 0;      ///< weights, gradients, moments; without activations
    double secondsPerStep = 0.0; ///< of the whole batch; 0: not measured
    int stepsTimed = 0;
    std::int64_t rowsTimed = 0; ///< fewer than the batch where that would take long
    std::int64_t rows = 0;
    std::string device;                   ///< where attention ran
    bool isComplete = false;              ///< nothing more will be measured
    bool isHopeless = false;              ///< it cannot be started like this: `problem` says why
    QString problem;                      ///< one sentence; empty: none
    std::optional<TaskBaseline> baseline; ///< of tasks whose data are quickly made
};

/// What can be told of a run without training it: times a few steps of it on a thread of its own.
/// Of several wishes the newest counts.
class RunMeter : public QObject
{
    Q_OBJECT

public:
    explicit RunMeter(BackendRegistry registry, QObject* parent = nullptr);

    void measure(const TrainingConfig& config, const std::string& device);

    /// Of a text: that has to be made and cut in tokens first. baselineFailed("") when cancelled.
    void measureBaseline(const TrainingConfig& config);
    void cancelBaseline();

signals:
    void measured(const headscope::ui::RunEstimate& estimate); ///< sizes first, then the time
    void said(const QString& sentence);                        ///< while the baseline is measured
    void baselineMeasured(const headscope::TaskBaseline& baseline);
    void baselineFailed(const QString& sentence);

private:
    BackendRegistry m_registry;
    LatestTask m_estimate;
    LatestTask m_baseline;
};

/// True when the data of a configuration are made in no time.
bool isQuicklyPrepared(const TrainingConfig& config);

} // namespace headscope::ui
