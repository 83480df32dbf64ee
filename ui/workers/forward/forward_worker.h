#pragma once

#include "core/attention/backend_registry.h"
#include "ui/workers/forward/forward_job.h"
#include "ui/workers/tasks/return_path.h"

#include <QObject>

#include <memory>

namespace headscope::ui {

class ForwardRunner;

/// Computes traces on its own thread. A newer job replaces the waiting one; a running one is
/// stopped between layers when shouldCancel says so. A device other than the CPU is made ready in
/// the background, and the newest job is repeated on it; until then everything runs on the CPU.
/// Signals arrive on the thread that created the worker. The destructor waits for the thread.
class ForwardWorker : public QObject
{
    Q_OBJECT

public:
    explicit ForwardWorker(BackendRegistry registry, QObject* parent = nullptr);
    ~ForwardWorker() override;

    void post(ForwardJob job);
    void cancel(); ///< the running job: failed() says so

signals:
    void finished(const headscope::ui::ForwardResult& result);

    /// One sentence for a person; nothing was computed for this ticket.
    void failed(quint64 ticket, const QString& sentence);

    /// How far a job has come that takes longer than a moment: 0 to 1.
    void advanced(quint64 ticket, double fraction);

    /// The device that was asked for is in use from now on.
    void deviceReady(const QString& choice);

    /// The device that was asked for cannot be had; attention goes on on the CPU.
    void deviceFailed(const QString& choice, const QString& sentence);

private:
    ReturnPath m_home;
    std::unique_ptr<ForwardRunner> m_runner; // ends first: it sends through m_home
};

} // namespace headscope::ui
