#pragma once

#include "ui/workers/worker_inbox.h"

#include <thread>

namespace headscope::ui {

/// Runs functions one after the other on its own thread. The destructor drops those that have not
/// begun and waits for the one that has.
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
