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

/// Callbacks on the worker thread. See the signals of ForwardWorker.
struct ForwardListener
{
    /// Called twice for a long text: with null thumbnails first.
    std::function<void(const ForwardResult&)> finished;
    std::function<void(std::uint64_t ticket, const QString& sentence)> failed;
    /// Reports progress of a long job.
    std::function<void(std::uint64_t ticket, double fraction)> advanced;
    std::function<void(const std::string& choice)> deviceReady;
    std::function<void(const std::string& choice, const QString& sentence)> deviceFailed;
};

/// Thread of ForwardWorker and the objects on it. Other threads may call only the public functions.
class ForwardRunner
{
public:
    ForwardRunner(BackendRegistry registry, ForwardListener listener);
    ~ForwardRunner();
    ForwardRunner(const ForwardRunner&) = delete;
    ForwardRunner& operator=(const ForwardRunner&) = delete;

    void post(ForwardJob job);
    void cancel(); ///< Cancels the running job, which ends with `failed`.
    void stop();   ///< Cancels the running job and starts no other.

private:
    using Clock = std::chrono::steady_clock;
    using BackendPtr = std::shared_ptr<AttentionBackend>;

    void loop();
    void run(const ForwardJob& job);
    ForwardResult compute(const ForwardJob& job, std::stop_token stop);
    void deliverEarly(const ForwardJob& job, const ForwardResult& result);
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
    std::optional<ForwardJob> m_last; // Repeated when another device takes over.
    std::string m_wantedDevice;
    BackendPtr m_backend;
    bool m_failureReported = false; // Failure of m_backend.
    std::uint64_t m_ticket = 0;     // Ticket of the running job.
    Clock::time_point m_begin;
    Clock::time_point m_lastAdvance;
    std::optional<Tracer> m_tracerA; // Borrows m_backend, as the other tracers do.
    std::optional<Tracer> m_tracerB;
    std::optional<Tracer> m_tracerAside;
    Thumbnails m_thumbnailsA; // Follows its tracer.
    Thumbnails m_thumbnailsB;
    OwnAnswer m_answer;
    std::deque<std::pair<RunText, TracePtr>> m_aside; // Traces of m_tracerAside, newest last.

    std::mutex m_mutex; // Guards the six members below.
    std::optional<std::stop_source> m_running;
    double m_typicalMs = 0.0;
    Clock::time_point m_lastFrame = Clock::now();
    bool m_leaving = false;
    bool m_givenUp = false;     // Cancelled by the user.
    bool m_isDelivered = false; // The running job's trace was delivered; thumbnails are missing.

    TaskThread m_deviceMaker; // Last two members, as they use those above.
    std::thread m_thread;
};

/// Computes one small attention of the model's shape, so that kernels are built in advance.
void warmUp(AttentionBackend& backend, const ModelConfig& config);

} // namespace headscope::ui
