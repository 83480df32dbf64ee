#pragma once

#include "core/attention/backend_registry.h"
#include "core/experiments/task_baseline.h"
#include "core/experiments/task_catalogue.h"
#include "ui/workers/tasks/latest_task.h"

#include <QString>

#include <optional>

namespace headscope::ui {

/// Estimated cost of a training run before it starts.
struct RunEstimate
{
    std::int64_t vocabulary = 0;
    std::int64_t parameters = 0;
    /// Memory of weights, gradients and Adam's moments; without activations.
    std::int64_t bytes = 0;
    double secondsPerStep = 0.0; ///< Time of a whole batch; 0: not measured.
    int stepsTimed = 0;
    /// Number of timed rows; less than the batch size where that would be slow.
    std::int64_t rowsTimed = 0;
    std::int64_t rows = 0;
    std::string device;      ///< Device that computed attention.
    bool isComplete = false; ///< True when no measurement is pending.
    bool isHopeless = false; ///< True when the run cannot be started; `problem` gives the reason.
    QString problem;         ///< Problem as one sentence; empty: none.
    std::optional<TaskBaseline> baseline; ///< Baseline of tasks whose data are quickly generated.
};

/// Estimates the cost of a run by timing a few steps in its own thread. The newest request counts.
class RunMeter : public QObject
{
    Q_OBJECT

public:
    explicit RunMeter(BackendRegistry registry);

    void measure(const TrainingConfig& config, const std::string& device);

    /// Measures the baseline of a text, which must be generated and tokenized first. Ends with
    /// baselineFailed(""), if cancelled.
    void measureBaseline(const TrainingConfig& config);
    void cancelBaseline();

signals:
    /// Emitted with sizes first, then with the time.
    void measured(const headscope::ui::RunEstimate& estimate);
    void reported(const QString& sentence); ///< Emitted with the progress of the baseline.
    void baselineMeasured(const headscope::TaskBaseline& baseline);
    void baselineFailed(const QString& sentence);

private:
    BackendRegistry m_registry;
    LatestTask m_estimate;
    LatestTask m_baseline;
};

/// True when the data of a configuration are generated almost instantly.
bool isQuicklyPrepared(const TrainingConfig& config);

} // namespace headscope::ui
