#include "ui/workers/task_thread.h"

namespace headscope::ui {

TaskThread::TaskThread(const QString& name)
{
    m_thread.setObjectName(name);
    m_inside.moveToThread(&m_thread);
    m_thread.start();
}

TaskThread::~TaskThread()
{
    m_leaving = true;
    m_thread.quit();
    m_thread.wait();
}

void TaskThread::run(std::function<void()> task)
{
    const auto call = [this, work = std::move(task)] {
        if (!m_leaving)
            work();
    };
    QMetaObject::invokeMethod(&m_inside, call, Qt::QueuedConnection);
}

} // namespace headscope::ui
