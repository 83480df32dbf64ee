#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>

namespace headscope::ui {

/// Inbox of a worker thread: a mailbox of depth one, in which a newer job replaces the waiting one,
/// and calls, which are all kept and come first. Usable from any thread. Uses the standard mutex
/// rather than Qt's events, so that the thread sanitizer can order accesses.
template<class Job>
class WorkerInbox
{
public:
    using Call = std::function<void()>;

    void put(Job job)
    {
        change([&] { m_job = std::move(job); });
    }

    void call(Call call)
    {
        change([&] { m_calls.push_back(std::move(call)); });
    }

    /// Makes wait() return nothing from now on and drops whatever has not begun.
    void close()
    {
        change([&] { m_closed = true; });
    }

    bool hasJob() const
    {
        const std::lock_guard lock(m_mutex);
        return m_job.has_value();
    }

    /// Blocks until there is work; empty once the inbox is closed.
    std::optional<std::variant<Job, Call>> wait()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_closed || m_job || !m_calls.empty(); });
        if (m_closed)
            return std::nullopt;
        if (m_calls.empty())
            return *std::exchange(m_job, std::nullopt);
        Call first = std::move(m_calls.front());
        m_calls.pop_front();
        return first;
    }

private:
    template<class Change>
    void change(Change apply)
    {
        {
            const std::lock_guard lock(m_mutex);
            apply();
        }
        m_changed.notify_one();
    }

    mutable std::mutex m_mutex; // Guards the other members.
    std::condition_variable m_changed;
    std::optional<Job> m_job;
    std::deque<Call> m_calls;
    bool m_closed = false;
};

} // namespace headscope::ui
