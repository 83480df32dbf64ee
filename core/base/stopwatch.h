#pragma once

#include <chrono>
#include <functional>

namespace headscope {

/// Measures time from its construction, by a clock that is never set back.
class Stopwatch
{
public:
    double seconds() const { return std::chrono::duration<double>(elapsed()).count(); }

    double milliseconds() const
    {
        return std::chrono::duration<double, std::milli>(elapsed()).count();
    }

private:
    using Clock = std::chrono::steady_clock;

    Clock::duration elapsed() const { return Clock::now() - m_start; }

    Clock::time_point m_start = Clock::now();
};

/// Median time in milliseconds of `rounds` calls, at least one. Each call receives its round, from 0.
double medianMilliseconds(int rounds, const std::function<void(int round)>& work);

} // namespace headscope
