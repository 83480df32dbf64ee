#pragma once

#include "ui/workers/forward/forward_job.h"
#include "ui/workers/forward/thumbnails.h"
#include "ui/workers/lessons/own_answer.h"
#include "ui/workers/tasks/task_thread.h"

#include "core/attention/backend_registry.h"

#include <chrono>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace headscope::ui {

/// What happened, told on the worker thread. See the signals of ForwardWorker.
struct ForwardListener
{
    std::function<void(const ForwardResult&)> finished;
    std::function<void(std::uint64_t ticket, const QString& sentence)> failed;
    std::function<void(std::uint64_t ticket, double fraction)> advanced; ///< of a long job
    std::function<void(const std::string& choice)> deviceReady;
    std::function<void(const std::string& choice, const QString& sentence)> deviceFailed;
};

/// The thread of ForwardWorker and what lives on it. Only the public functions may be called from
/// elsewhere.
class ForwardRunner
{
public:
    ForwardRunner(BackendRegistry registry, ForwardListener listener);
    ~ForwardRunner();
    ForwardRunner(const ForwardRunner&) = delete;
    ForwardRunner& operator=(const ForwardRunner&) = delete;

    void post(ForwardJob job);
    void cancel(); ///< give the running job up; `failed` says so
    void stop();   ///< give the running job up and begin no other

private:
    using Clock = std::chrono::steady_clock;
    using BackendPtr = std::shared_ptr<AttentionBackend>;

    void loop();
    void run(const ForwardJob& job);
    ForwardResult compute(const ForwardJob& job, std::stop_token stop);
    void computeSecond(const ForwardJob& job, ForwardResult& result, std::stop_token stop);
    TracePtr asideTrace(const LoadedModel& model, const RunText& text, std::stop_token stop);
    RunText complete(RunText text, const LoadedModel& model, const std::stop_token& stop);
    std::stop_token beginJob();
    void advance(double from, double to, double fraction);
    bool endJob(std::optional<double> elapsedMs);

    void useDevice(const ForwardJob& job);
    void makeInBackground(const std::string& choice, const ModelConfig& config);
    void adopt(const std::string& choice, BackendPtr backend);
    void reject(const std::string& choice, const QString& sentence);
    void prepareTracer(std::optional<Tracer>& tracer, const LoadedModel& model,
                       Thumbnails& thumbnails);
    void forgetTracers();
    bool isReadyAtOnce(const std::string& choice) const;
    void reportFailedDevice();

    BackendRegistry m_registry;
    ForwardListener m_listener;
    WorkerInbox<ForwardJob> m_inbox;
    std::optional<ForwardJob> m_last; // repeated when another device takes over
    std::string m_wantedDevice;
    BackendPtr m_backend;
    bool m_failureReported = false; // of m_backend
    std::uint64_t m_ticket = 0;     // of the job that runs
    Clock::time_point m_begin;
    Clock::time_point m_lastAdvance;
    std::optional<Tracer> m_tracerA; // these borrow m_backend
    std::optional<Tracer> m_tracerB;
    std::optional<Tracer> m_tracerAside;
    Thumbnails m_thumbnailsA; // these follow their tracers
    Thumbnails m_thumbnailsB;
    OwnAnswer m_answer;
    std::deque<std::pair<RunText, TracePtr>> m_aside; // of m_tracerAside, newest last

    std::mutex m_mutex; // guards the five below
    std::optional<std::stop_source> m_running;
    double m_typicalMs = 0.0;
    Clock::time_point m_lastFrame = Clock::now();
    bool m_leaving = false;
    bool m_givenUp = false; // by a person

    TaskThread m_deviceMaker; // these two are last: they use the members above
    std::thread m_thread;
};

/// Runs one small attention of the model's shape, so that kernels are built before they are needed.
void warmUp(AttentionBackend& backend, const ModelConfig& config);

} // namespace headscope::ui
