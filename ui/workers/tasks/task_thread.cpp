#include "ui/workers/tasks/task_thread.h"

namespace headscope::ui {

TaskThread::TaskThread() : m_thread([this] { loop(); }) {}

TaskThread::~TaskThread()
{
    m_inbox.close();
    m_thread.join();
}

void TaskThread::run(std::function<void()> task)
{
    m_inbox.call(std::move(task));
}

void TaskThread::loop()
{
    while (const auto next = m_inbox.wait()) {
        if (const auto* task = std::get_if<std::function<void()>>(&*next))
            (*task)();
    }
}

} // namespace headscope::ui
