#pragma once

#include <QObject>

#include <deque>
#include <functional>
#include <mutex>

namespace headscope::ui {

/// Queues calls for the thread that created it. Calls pending at destruction are dropped.
class ReturnPath : public QObject
{
    Q_OBJECT

public:
    ReturnPath();

    void send(std::function<void()> call); ///< Queues a call, from any thread.

signals:
    void woken();

private:
    void deliver();

    std::mutex m_mutex;
    std::deque<std::function<void()>> m_calls; // Guarded by m_mutex.
};

} // namespace headscope::ui
