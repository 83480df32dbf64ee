#pragma once

#include "ui/workers/tasks/worker_inbox.h"

#include <functional>
#include <thread>

namespace headscope::ui {

/// Runs functions one after the other in its own thread. The destructor drops those that have not
/// begun and waits for the running one. A function must own what it captures: a QString shared with
/// another thread would be freed by whichever releases it last.
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
