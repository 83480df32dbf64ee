#pragma once

#include "core/base/error.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <utility>

namespace headscope {

/// Progress of a long job, and whether it is to continue. The job calls add() from its own thread,
/// often; any thread may read fraction().
class Progress
{
public:
    using Listener = std::function<void(std::uint64_t done, std::uint64_t total)>;

    /// Calls `listener` on the job's thread whenever another thousandth is done.
    explicit Progress(std::stop_token stop = {}, Listener listener = {})
        : m_stop(std::move(stop))
        , m_listener(std::move(listener))
    {
    }

    /// Adds to the total amount of work. Throws Cancelled.
    void expect(std::uint64_t amount)
    {
        m_total += amount;
        requireGoingOn();
    }

    /// Reports completed work. Throws Cancelled when the job is to stop.
    void add(std::uint64_t amount)
    {
        const std::uint64_t total = m_total;
        const std::uint64_t before = m_done;
        m_done = std::min(before + amount, total);
        if (m_listener && m_done / (total / kSteps + 1) != before / (total / kSteps + 1))
            m_listener(m_done, total);
        requireGoingOn();
    }

    void requireGoingOn() const
    {
        if (m_stop.stop_requested())
            throw Cancelled();
    }

    double fraction() const
    {
        const std::uint64_t total = m_total;
        return total == 0 ? 0.0 : static_cast<double>(m_done.load()) / static_cast<double>(total);
    }

    const std::stop_token& stop() const { return m_stop; }

private:
    static constexpr std::uint64_t kSteps = 1000;

    std::stop_token m_stop;
    Listener m_listener;
    std::atomic<std::uint64_t> m_done{0};
    std::atomic<std::uint64_t> m_total{0};
};

} // namespace headscope
