#pragma once

#include "core/attention/backend_registry.h"
#include "core/model/pass/tracer.h"
#include "core/runs/live_run.h"
#include "core/runs/run_curves.h"

#include <QString>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace headscope::ui {

/// How a run starts.
struct TrainingStart
{
    enum class Kind { New, Resume, Fork };

    Kind kind = Kind::New;
    TrainingConfig config;        ///< Configuration of a new run.
    std::filesystem::path folder; ///< Folder of the run.
    std::filesystem::path from;   ///< Fork: the other run and its step.
    std::int64_t step = 0;
    std::string device = "auto";
    std::uint64_t timelineBudget = 1ULL << 30; ///< Disk space for snapshots, in bytes.
    bool runsAtOnce = true; ///< Starts training at once rather than waiting before the first step.
};

/// Facts of a run that has been opened.
struct OpenedTraining
{
    std::filesystem::path folder;
    TrainingConfig config;
    ModelConfig model;
    std::shared_ptr<const Tokenizer> tokenizer; ///< Texts are ids for batches without one.
    std::string device;                         ///< Requested device.
    bool isExactFork = true;
    RunCurves curves; ///< Curves logged so far.
    HeadCurves heads;
};

enum class TrainingPhase { None, Preparing, Running, Paused, Done, Stopped, Diverged };

/// Changes since the previous snapshot.
struct TrainingSnapshot
{
    std::filesystem::path folder; ///< Folder of the run.
    std::int64_t step = 0;
    std::int64_t steps = 0;
    std::vector<LivePoint> points;
    std::vector<RunEvent> events;
    LiveSettings settings;
    std::vector<SnapshotRecord> snapshots; ///< All snapshots on disk.
    std::uint64_t timelineBytes = 0;
    std::shared_ptr<const Model> model; ///< Weights at `step`; null when nobody requests them.
};

using TrainingSnapshotPtr = std::shared_ptr<const TrainingSnapshot>;

/// Callbacks on the runner's thread.
struct TrainingListener
{
    std::function<void(TrainingPhase)> stateChanged;
    /// Reports each long preparation before it starts.
    std::function<void(const std::string&)> reported;
    std::function<void(const OpenedTraining&)> opened;
    std::function<void(const TrainingSnapshotPtr&)> published;
    std::function<void(const QString&)> failed; ///< Reports an error as one sentence.
    /// Reports divergence: the step at which it began, the sentence, and the last snapshot before
    /// it.
    std::function<void(std::int64_t, const QString&, std::optional<std::int64_t>)> diverged;
};

/// Trains in its own thread: runs a LiveRun step by step and handles requests between steps.
/// Publishes at most every 50 ms, and only after the previous snapshot was taken. None of this
/// affects the numbers. The destructor saves and waits.
class TrainingRunner
{
public:
    TrainingRunner(BackendRegistry registry, TrainingListener listener);
    ~TrainingRunner();

    // Callable from any thread. Requests are handled in order, between two steps.
    void begin(TrainingStart start); ///< Starts a run; saves and closes an open one.
    void run();                      ///< Trains until the last step.
    void pause();
    void step();                  ///< Trains one step, then pauses.
    void stop(bool saves = true); ///< Closes the run.
    void save();
    void pin(std::int64_t step, bool pinned);
    void change(const LiveSettings& settings);
    void setSteps(std::int64_t steps);
    void cancelPreparation();

    /// Reports that the last snapshot was handled and the total time it took (including a trace of
    /// it): the next one waits until that is a small fraction of the time.
    void taken(double costMs);
    void wantModels(bool wanted);

private:
    using Clock = std::chrono::steady_clock;

    void post(std::function<void()> command);
    void loop();
    void perform(const std::function<void()>& command);
    void open(const TrainingStart& start);
    LiveRunOptions options(const TrainingStart& start);
    void advance();
    void close(bool saves);
    void enter(TrainingPhase state);
    void publish(bool atOnce);
    bool isDue() const;
    void fail(const std::exception& error);

    BackendRegistry m_registry;
    TrainingListener m_listener;
    std::atomic<bool> m_taken = true;
    std::atomic<double> m_costMs = 0.0;
    std::atomic<bool> m_wantsModels = true;
    std::mutex m_mutex; // Guards the next four members.
    std::condition_variable m_changed;
    std::deque<std::function<void()>> m_commands;
    bool m_leaving = false;
    std::stop_source m_preparation;
    // Used by the thread only.
    std::optional<LiveRun> m_run;
    TrainingPhase m_state = TrainingPhase::None;
    TrainingSnapshot m_next;
    std::size_t m_eventsSent = 0;
    Clock::time_point m_published{};
    std::thread m_thread; // Started last.
};

} // namespace headscope::ui
