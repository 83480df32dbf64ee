#pragma once

#include "core/attention/backend_registry.h"
#include "ui/workers/forward/forward_job.h"
#include "ui/workers/tasks/return_path.h"

#include <QObject>

#include <memory>

namespace headscope::ui {

class ForwardRunner;

/// Computes traces in its own thread. A newer job replaces the waiting one; a running one is
/// cancelled between layers when shouldCancel says so. A device other than the CPU is prepared in
/// the background, and the newest job is then repeated on it; until then everything runs on the
/// CPU. Signals arrive on the thread that created the worker. The destructor waits for the thread.
class ForwardWorker : public QObject
{
    Q_OBJECT

public:
    explicit ForwardWorker(BackendRegistry registry);
    ~ForwardWorker() override;

    void post(ForwardJob job);
    void cancel(); ///< Cancels the running job, which ends with failed().

signals:
    /// Emitted with a result. A long text has two of the same ticket, the first with null thumbnails.
    void finished(const headscope::ui::ForwardResult& result);

    /// Emitted with a user-readable sentence when nothing was computed for this ticket.
    void failed(quint64 ticket, const QString& sentence);

    /// Emitted with the progress of a long job, 0 to 1.
    void advanced(quint64 ticket, double fraction);

    /// Emitted when the requested device comes into use.
    void deviceReady(const QString& choice);

    /// Emitted when the requested device is not available; attention continues on the CPU.
    void deviceFailed(const QString& choice, const QString& sentence);

private:
    ReturnPath m_home;
    std::unique_ptr<ForwardRunner> m_runner; // Destroyed first, as it sends through m_home.
};

} // namespace headscope::ui
