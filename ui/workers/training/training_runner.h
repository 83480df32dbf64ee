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

/// How a run begins.
struct TrainingStart
{
    enum class Kind { New, Resume, Fork };

    Kind kind = Kind::New;
    TrainingConfig config;        ///< New
    std::filesystem::path folder; ///< of the run
    std::filesystem::path from;   ///< Fork: the other run, and its moment
    std::int64_t step = 0;
    std::string device = "auto";
    std::uint64_t timelineBudget = 1ULL << 30; ///< bytes on disk
    bool runsAtOnce = true;                    ///< or waits before the first step
};

/// What a run is, when it has been opened.
struct OpenedTraining
{
    std::filesystem::path folder;
    TrainingConfig config;
    ModelConfig model;
    std::shared_ptr<const Tokenizer> tokenizer; ///< null for batches without one
    std::string device;                         ///< that was asked for
    bool isExactFork = true;
    RunCurves curves; ///< what it has written so far
    HeadCurves heads;
};

enum class TrainingPhase { None, Preparing, Running, Paused, Done, Stopped, Diverged };

/// What happened since the snapshot before.
struct TrainingSnapshot
{
    std::filesystem::path folder; ///< of the run
    std::int64_t step = 0;
    std::int64_t steps = 0;
    std::vector<LivePoint> points;
    std::vector<RunEvent> events;
    LiveSettings settings;
    std::vector<Moment> moments; ///< all of them
    std::uint64_t timelineBytes = 0;
    std::shared_ptr<const Model> model; ///< of `step`; null when nobody looks at it
};

using TrainingSnapshotPtr = std::shared_ptr<const TrainingSnapshot>;

/// What a runner says, on its thread.
struct TrainingListener
{
    std::function<void(TrainingPhase)> stateChanged;
    std::function<void(const std::string&)> said; ///< before each long preparation
    std::function<void(const OpenedTraining&)> opened;
    std::function<void(const TrainingSnapshotPtr&)> published;
    std::function<void(const QString&)> failed; ///< one sentence
    /// Where it began, the sentence, the newest snapshot before.
    std::function<void(std::int64_t, const QString&, std::optional<std::int64_t>)> diverged;
};

/// Trains on its own thread: one step of a LiveRun after the other, with everything that is asked
/// of it between two of them. Publishes at most every 50 ms, and only when the last was taken. What
/// the numbers are never depends on any of this. The destructor saves and waits.
class TrainingRunner
{
public:
    TrainingRunner(BackendRegistry registry, TrainingListener listener);
    ~TrainingRunner();

    // Any thread. What is asked for happens in this order, between two steps.
    void begin(TrainingStart start); ///< saves and closes a run that is open
    void run();                      ///< goes on until the last step
    void pause();
    void step();                  ///< one, then it waits
    void stop(bool saves = true); ///< closes the run
    void save();
    void pin(std::int64_t step, bool pinned);
    void change(const LiveSettings& settings);
    void setSteps(std::int64_t steps);
    void cancelPreparation();

    /// The last snapshot has been dealt with, which took so long in all (a trace of it included):
    /// the next one waits until that is a small share of the time.
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
    std::mutex m_mutex; // guards the next four
    std::condition_variable m_changed;
    std::deque<std::function<void()>> m_commands;
    bool m_leaving = false;
    std::stop_source m_preparation;
    // The rest belongs to the thread.
    std::optional<LiveRun> m_run;
    TrainingPhase m_state = TrainingPhase::None;
    TrainingSnapshot m_next;
    std::size_t m_eventsSent = 0;
    Clock::time_point m_published{};
    std::thread m_thread; // starts last
};

} // namespace headscope::ui
