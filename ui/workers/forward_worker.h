#pragma once

#include "core/attention/backend_registry.h"
#include "ui/workers/forward_job.h"

#include <QObject>
#include <QThread>

#include <memory>

namespace headscope::ui {

class ForwardRunner;

/// Computes traces on its own thread. A newer job replaces the waiting one; a running one is stopped
/// between layers when shouldCancel says so. Lives on the thread that created it; signals arrive
/// there. The destructor waits for the thread.
class ForwardWorker : public QObject
{
    Q_OBJECT

public:
    explicit ForwardWorker(BackendRegistry registry, QObject* parent = nullptr);
    ~ForwardWorker() override;

    void post(ForwardJob job);

signals:
    void finished(const headscope::ui::ForwardResult& result);

    /// One sentence for a person; nothing was computed for this ticket.
    void failed(quint64 ticket, const QString& sentence);

    /// The device that was asked for is in use from now on.
    void deviceReady(const QString& choice);

    /// The device that was asked for cannot be had; attention goes on on the CPU.
    void deviceFailed(const QString& choice, const QString& sentence);

private:
    QThread m_thread;
    std::unique_ptr<ForwardRunner> m_runner; // lives on m_thread
};

} // namespace headscope::ui
