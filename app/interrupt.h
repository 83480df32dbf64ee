#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace headscope::app {

/// While an object exists, Ctrl+C (and SIGTERM) asks token() to stop instead of ending the process;
/// the second one ends it. Create it before any other thread starts.
class Interrupt
{
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return m_source.get_token(); }

private:
    void wait(const std::stop_token& end);

    sigset_t m_signals{};
    sigset_t m_previous{};
    std::stop_source m_source;
    std::jthread m_thread;
};

} // namespace headscope::app
