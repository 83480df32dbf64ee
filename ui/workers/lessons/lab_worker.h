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

/// A lab of the catalogue, which lives as long as the program. Throws Error (nearest name).
LabPtr labOfCatalogue(std::string_view name);

/// A lab to be run, and what it may look at.
struct LabJob
{
    LabPtr lab;
    LabSettings settings{{}};
    LoadedModel model = {}; ///< its pointers may be null
    std::string text = {};
    std::string device = "auto";
};

/// What became of a job: a result, a sentence, or neither when it was cancelled.
struct LabAnswer
{
    quint64 ticket = 0;
    LabJob job;
    std::shared_ptr<const LabResult> result; ///< null: see problem
    QString problem;                         ///< why there is none, one sentence
    double elapsedMs = 0.0;
};

/// Runs labs on a thread of its own. A newer job replaces one that waits, and stops the running one
/// where that is slow or another lab; jobs that were replaced are not answered. The destructor
/// stops what runs and waits for it.
class LabWorker : public QObject
{
    Q_OBJECT

public:
    LabWorker(BackendRegistry registry, ModelLoader::Open openModel, QObject* parent = nullptr);
    ~LabWorker() override;

    quint64 post(const LabJob& job); ///< returns its ticket; those rise
    void cancel();                   ///< the newest job is answered without a result

signals:
    void answered(const headscope::ui::LabAnswer& answer);
    void progressed(quint64 ticket, double done); ///< 0 to 1, at most twenty times a second

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
    std::stop_source m_stop; ///< of the running and the waiting job
    double m_typicalMs = 0.0;
    Clock::time_point m_lastAnswer{};
    ReturnPath m_home;
    WorkerInbox<Posted> m_inbox;
    std::thread m_thread; // last: it uses the others
};

} // namespace headscope::ui
