#include "ui/workers/forward_worker.h"

#include "ui/workers/forward_runner.h"

namespace headscope::ui {

ForwardWorker::ForwardWorker(BackendRegistry registry, QObject* parent)
    : QObject(parent)
    , m_runner(new ForwardRunner(std::move(registry)))
{
    m_thread.setObjectName("forward");
    m_runner->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_runner, &QObject::deleteLater);
    connect(m_runner, &ForwardRunner::finished, this, &ForwardWorker::finished);
    connect(m_runner, &ForwardRunner::failed, this, &ForwardWorker::failed);
    connect(m_runner, &ForwardRunner::deviceReady, this, &ForwardWorker::deviceReady);
    connect(m_runner, &ForwardRunner::deviceFailed, this, &ForwardWorker::deviceFailed);
    m_thread.start();
}

ForwardWorker::~ForwardWorker()
{
    m_runner->stop();
    m_thread.quit();
    m_thread.wait();
}

void ForwardWorker::post(ForwardJob job)
{
    m_runner->post(std::move(job));
}

} // namespace headscope::ui
