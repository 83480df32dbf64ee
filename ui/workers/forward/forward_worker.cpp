#include "ui/workers/forward/forward_worker.h"

#include "ui/workers/forward/forward_runner.h"

namespace headscope::ui {

ForwardWorker::ForwardWorker(BackendRegistry registry)
{
    ForwardListener listener;
    listener.finished = [this](const ForwardResult& result) {
        m_home.send([this, result] { emit finished(result); });
    };
    listener.failed = [this](std::uint64_t ticket, const QString& sentence) {
        m_home.send([this, ticket, sentence] { emit failed(ticket, sentence); });
    };
    listener.advanced = [this](std::uint64_t ticket, double fraction) {
        m_home.send([this, ticket, fraction] { emit advanced(ticket, fraction); });
    };
    listener.deviceReady = [this](const std::string& choice) {
        m_home.send([this, choice] { emit deviceReady(QString::fromStdString(choice)); });
    };
    listener.deviceFailed = [this](const std::string& choice, const QString& sentence) {
        m_home.send([this, choice, sentence] {
            emit deviceFailed(QString::fromStdString(choice), sentence);
        });
    };
    m_runner = std::make_unique<ForwardRunner>(std::move(registry), std::move(listener));
}

ForwardWorker::~ForwardWorker() = default;

void ForwardWorker::cancel()
{
    m_runner->cancel();
}

void ForwardWorker::post(ForwardJob job)
{
    m_runner->post(std::move(job));
}

} // namespace headscope::ui
