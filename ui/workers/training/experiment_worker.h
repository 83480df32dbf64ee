#pragma once

#include "core/attention/backend_registry.h"
#include "core/experiments/experiment_runner.h"
#include "ui/workers/tasks/latest_task.h"
#include "ui/workers/training/run_reader.h"

#include <chrono>
#include <stop_token>

namespace headscope::ui {

/// Record of an experiment read from its folder, during and after training.
struct ExperimentRecord
{
    std::string experiment;
    /// Curves of the variants, in the order of the experiment; empty ones have not begun.
    std::vector<RunSeries> variants;
    std::optional<ExperimentResult> result;
    /// Time of the result, such as "2026-11-21T20:15:02Z"; empty until there is one.
    std::string finished = {};
    std::string device = {}; ///< Device of its runs.
    QString problem = {};    ///< Reason why the result cannot be read.
};

struct ExperimentState
{
    double done = 0.0;        ///< Progress, 0 to 1.
    QString what;             ///< Current work, such as "training: without the mask, step 120".
    double secondsLeft = 0.0; ///< Remaining time at the mean speed since the start; 0: not known.
};

ExperimentRecord readExperiment(const Experiment& experiment, const std::filesystem::path& folder);

/// Runs one experiment at a time in its own thread, and reads the folders of experiments in
/// another. The destructor stops the running one, which saves it, and waits.
class ExperimentWorker : public QObject
{
    Q_OBJECT

public:
    explicit ExperimentWorker(BackendRegistry registry);
    ~ExperimentWorker() override;

    /// Starts an experiment, or resumes it from its folder. Does nothing while another one runs.
    void start(const Experiment& experiment, const std::filesystem::path& folder,
               const std::string& device);
    void cancel(); ///< Saves and stops; start() resumes.

    /// Name of the running experiment, or "".
    const std::string& running() const { return m_running; }

    void read(const Experiment& experiment, const std::filesystem::path& folder);

signals:
    /// Emitted with the progress, at most ten times a second.
    void progressed(const headscope::ui::ExperimentState& state);
    /// Emitted with the error; "" on success or cancellation.
    void ended(const QString& sentence);
    void recordRead(const headscope::ui::ExperimentRecord& record);

private:
    using Clock = std::chrono::steady_clock;

    void runOnThread(const Experiment& experiment, const std::filesystem::path& folder,
                     const std::string& device, std::stop_token stop);

    BackendRegistry m_registry;
    std::string m_running;
    std::stop_source m_stop;
    ReturnPath m_home;
    TaskThread m_thread; // Declared last, as its tasks use the other members.
    LatestTask m_reading;
};

} // namespace headscope::ui
