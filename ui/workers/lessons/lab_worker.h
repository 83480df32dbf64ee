#pragma once

#include "core/attention/backend_registry.h"
#include "core/lessons/labs/lab.h"
#include "ui/workers/models/model_loader.h"
#include "ui/workers/tasks/worker_inbox.h"

#include <chrono>
#include <memory>
#include <stop_token>

namespace headscope::ui {

using LabPtr = std::shared_ptr<const Lab>;

/// Lab of the catalogue, which lives as long as the program. Throws Error (nearest name).
LabPtr labOfCatalogue(std::string_view name);

/// A lab to run, with its inputs.
struct LabJob
{
    LabPtr lab;
    LabSettings settings{{}};
    LoadedModel model = {}; ///< Model; its pointers may be null.
    std::string text = {};
    std::string device = "auto";
};

/// Answer to a job: a result, a sentence, or neither after cancellation.
struct LabAnswer
{
    quint64 ticket = 0;
    LabJob job;
    std::shared_ptr<const LabResult> result; ///< Result; null: see problem.
    QString problem;                         ///< Reason why there is no result, as one sentence.
    double elapsedMs = 0.0;
};

/// Runs labs in its own thread. A newer job replaces the waiting one, and cancels the running one
/// if that is slow or another lab; replaced jobs are not answered. The destructor cancels the
/// running job and waits for it.
class LabWorker : public QObject
{
    Q_OBJECT

public:
    LabWorker(BackendRegistry registry, ModelLoader::Open openModel);
    ~LabWorker() override;

    quint64 post(const LabJob& job); ///< Posts a job and returns its ticket; tickets increase.
    void cancel();                   ///< Cancels; the newest job is answered without a result.

signals:
    void answered(const headscope::ui::LabAnswer& answer);
    /// Emitted with the progress, 0 to 1, at most twenty times a second.
    void progressed(quint64 ticket, double done);

private:
    using Clock = std::chrono::steady_clock;

    struct Posted
    {
        quint64 ticket = 0;
        LabJob job;
        std::stop_token stop;
    };

    void loop();
    LabAnswer run(const Posted& posted);
    LabContext contextOf(const Posted& posted);
    bool shouldStopFor(const LabJob& next) const;

    BackendRegistry m_registry;
    ModelLoader::Open m_openModel;
    quint64 m_ticket = 0;
    LabJob m_newest;
    std::stop_source m_stop; ///< Stops the running and the waiting job.
    double m_typicalMs = 0.0;
    Clock::time_point m_lastAnswer{};
    ReturnPath m_home;
    WorkerInbox<Posted> m_inbox;
    std::thread m_thread; // Declared last, as it uses the other members.
};

} // namespace headscope::ui
