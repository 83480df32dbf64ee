#pragma once

#include "ui/workers/tasks/worker_inbox.h"

#include <functional>
#include <thread>

namespace headscope::ui {

/// Runs functions one after the other on its own thread. The destructor drops those that have not
/// begun and waits for the one that has. What a function carries is its own: a QString shared with
/// another thread would be freed by whoever comes last.
class TaskThread
{
public:
    TaskThread();
    ~TaskThread();
    TaskThread(const TaskThread&) = delete;
    TaskThread& operator=(const TaskThread&) = delete;

    void run(std::function<void()> task);

private:
    void loop();

    WorkerInbox<std::monostate> m_inbox;
    std::thread m_thread;
};

} // namespace headscope::ui
