#pragma once

#include <QObject>

#include <deque>
#include <functional>
#include <mutex>

namespace headscope::ui {

/// Brings calls back to the thread that made it. Those that have not run when it dies are dropped.
class ReturnPath : public QObject
{
    Q_OBJECT

public:
    ReturnPath();

    void send(std::function<void()> call); ///< any thread

signals:
    void woken();

private:
    void deliver();

    std::mutex m_mutex;
    std::deque<std::function<void()>> m_calls; // guarded by m_mutex
};

} // namespace headscope::ui
