#pragma once

#include <mutex>
#include <optional>
#include <utility>

namespace headscope::ui {

/// A mailbox of depth one: a newer value replaces the waiting one. Any thread may use it.
template<class Value>
class LatestSlot
{
public:
    /// Returns true when nothing was waiting, so that the owner posts exactly one drain.
    bool put(Value value)
    {
        const std::lock_guard lock(m_mutex);
        const bool wasEmpty = !m_value;
        m_value = std::move(value);
        return wasEmpty;
    }

    std::optional<Value> take()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_value, std::nullopt);
    }

    bool empty() const
    {
        const std::lock_guard lock(m_mutex);
        return !m_value;
    }

private:
    mutable std::mutex m_mutex;
    std::optional<Value> m_value; // guarded by m_mutex
};

} // namespace headscope::ui
