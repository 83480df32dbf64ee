#pragma once

#include "ui/workers/forward_job.h"
#include "ui/workers/latest_slot.h"
#include "ui/workers/task_thread.h"

#include "core/attention/backend_registry.h"

#include <QObject>

#include <chrono>
#include <mutex>

namespace headscope::ui {

/// The part of ForwardWorker that lives on the worker thread. Only post() may be called from
/// elsewhere.
class ForwardRunner : public QObject
{
    Q_OBJECT

public:
    explicit ForwardRunner(BackendRegistry registry);

    void post(ForwardJob job);
    void stop(); ///< any thread: give the running job up

signals:
    void finished(const headscope::ui::ForwardResult& result);
    void failed(quint64 ticket, const QString& sentence);
    void deviceReady(const QString& choice);
    void deviceFailed(const QString& choice, const QString& sentence);

private:
    using Clock = std::chrono::steady_clock;
    using BackendPtr = std::shared_ptr<AttentionBackend>;

    void drain();
    void run(const ForwardJob& job);
    ForwardResult compute(const ForwardJob& job, std::stop_token stop);
    std::stop_token beginJob();
    void endJob(std::optional<double> elapsedMs);

    void useDevice(const ForwardJob& job);
    void makeInBackground(const std::string& choice, const ModelConfig& config);
    void adopt(const std::string& choice, BackendPtr backend);
    void reject(const std::string& choice, const QString& sentence);
    void prepareTracers(const LoadedModel& model);
    void forgetTracers();
    bool isReadyAtOnce(const std::string& choice) const;
    void reportFailedDevice();

    BackendRegistry m_registry;
    LatestSlot<ForwardJob> m_slot;
    std::optional<ForwardJob> m_last; // repeated when another device takes over
    std::string m_wantedDevice;
    BackendPtr m_backend;
    bool m_failureReported = false;  // of m_backend
    std::optional<Tracer> m_tracerA; // borrow m_backend
    std::optional<Tracer> m_tracerB;

    std::mutex m_mutex; // guards the four below
    std::optional<std::stop_source> m_running;
    double m_typicalMs = 0.0;
    Clock::time_point m_lastFrame = Clock::now();
    bool m_leaving = false;

    TaskThread m_deviceMaker; // last: its tasks use the members above
};

/// Runs one small attention of the model's shape, so that kernels are built before they are needed.
void warmUp(AttentionBackend& backend, const ModelConfig& config);

} // namespace headscope::ui
