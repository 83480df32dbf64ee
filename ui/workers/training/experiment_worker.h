#pragma once

#include "core/attention/backend_registry.h"
#include "core/experiments/experiment_runner.h"
#include "ui/workers/tasks/latest_task.h"
#include "ui/workers/training/run_reader.h"

#include <chrono>
#include <stop_token>

namespace headscope::ui {

/// An experiment as its folder tells, while it runs and afterwards.
struct ExperimentRecord
{
    std::string experiment;
    std::vector<RunSeries> variants; ///< in the order of the experiment; empty ones have not begun
    std::optional<ExperimentResult> result;
    std::string finished = {}; ///< "2026-11-21T20:15:02Z", with a result
    std::string device = {};   ///< of its runs
    QString problem = {};      ///< why the result cannot be read
};

struct ExperimentState
{
    double done = 0.0;        ///< 0 to 1
    QString what;             ///< "training: without the mask, step 120"
    double secondsLeft = 0.0; ///< at the mean speed since it was started; 0: not known
};

ExperimentRecord readExperiment(const Experiment& experiment, const std::filesystem::path& folder);

/// Runs one experiment at a time on a thread of its own, and reads what experiments have written on
/// another. The destructor stops what runs, which saves it, and waits.
class ExperimentWorker : public QObject
{
    Q_OBJECT

public:
    explicit ExperimentWorker(BackendRegistry registry, QObject* parent = nullptr);
    ~ExperimentWorker() override;

    /// Goes on where the folder is, if it was begun. Nothing while another one runs.
    void start(const Experiment& experiment, const std::filesystem::path& folder,
               const std::string& device);
    void cancel(); ///< saves: start() goes on from there

    const std::string& running() const { return m_running; } ///< name of the experiment, or ""

    void read(const Experiment& experiment, const std::filesystem::path& folder);

signals:
    void progressed(const headscope::ui::ExperimentState& state); ///< at most ten times a second
    void ended(const QString& sentence); ///< why it failed; "" when it is done or was cancelled
    void recordRead(const headscope::ui::ExperimentRecord& record);

private:
    using Clock = std::chrono::steady_clock;

    void runOnThread(const Experiment& experiment, const std::filesystem::path& folder,
                     const std::string& device, std::stop_token stop);

    BackendRegistry m_registry;
    std::string m_running;
    std::stop_source m_stop;
    ReturnPath m_home;
    TaskThread m_thread; // last: its tasks use the others
    LatestTask m_reading;
};

} // namespace headscope::ui
