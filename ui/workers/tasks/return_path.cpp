#include "ui/workers/tasks/return_path.h"

#include <utility>

namespace headscope::ui {

ReturnPath::ReturnPath()
{
    connect(this, &ReturnPath::woken, this, &ReturnPath::deliver, Qt::QueuedConnection);
}

void ReturnPath::send(std::function<void()> call)
{
    {
        const std::lock_guard lock(m_mutex);
        m_calls.push_back(std::move(call));
        if (m_calls.size() > 1)
            return; // already woken up
    }
    emit woken();
}

void ReturnPath::deliver()
{
    std::deque<std::function<void()>> calls;
    {
        const std::lock_guard lock(m_mutex);
        calls = std::exchange(m_calls, {});
    }
    for (const std::function<void()>& call : calls)
        call();
}

} // namespace headscope::ui
