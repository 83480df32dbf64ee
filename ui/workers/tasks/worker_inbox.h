#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>

namespace headscope::ui {

/// What a worker thread waits on: a mailbox of depth one, in which a newer job replaces the waiting
/// one, and calls, which are all kept and come first. Any thread may use it. The standard's mutex
/// and not Qt's events, so that the thread sanitizer can follow what happens before what.
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

    /// wait() returns nothing from now on; what has not begun is dropped.
    void close()
    {
        change([&] { m_closed = true; });
    }

    bool hasJob() const
    {
        const std::lock_guard lock(m_mutex);
        return m_job.has_value();
    }

    /// Blocks until there is something to do; empty once the inbox is closed.
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

    mutable std::mutex m_mutex; // guards the rest
    std::condition_variable m_changed;
    std::optional<Job> m_job;
    std::deque<Call> m_calls;
    bool m_closed = false;
};

} // namespace headscope::ui
