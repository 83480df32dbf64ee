#pragma once

#include <QObject>
#include <QThread>

#include <atomic>
#include <functional>

namespace headscope::ui {

/// Runs functions one after the other on its own thread. The destructor drops those that have not
/// begun and waits for the one that has.
class TaskThread
{
public:
    explicit TaskThread(const QString& name);
    ~TaskThread();
    TaskThread(const TaskThread&) = delete;
    TaskThread& operator=(const TaskThread&) = delete;

    void run(std::function<void()> task);

private:
    std::atomic<bool> m_leaving = false;
    QThread m_thread;
    QObject m_inside; // lives on m_thread
};

} // namespace headscope::ui
