#include "app/interrupt.h"

#include <ctime>

namespace headscope::app {

Interrupt::Interrupt()
{
    sigemptyset(&m_signals);
    sigaddset(&m_signals, SIGINT);
    sigaddset(&m_signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &m_signals, &m_previous);
    m_thread = std::jthread([this](const std::stop_token& end) { wait(end); });
}

Interrupt::~Interrupt()
{
    m_thread.request_stop();
    m_thread.join();
    pthread_sigmask(SIG_SETMASK, &m_previous, nullptr);
}

void Interrupt::wait(const std::stop_token& end)
{
    constexpr std::timespec kTurn{0, 50'000'000};
    while (!end.stop_requested()) {
        if (sigtimedwait(&m_signals, nullptr, &kTurn) < 0)
            continue;
        m_source.request_stop();
        pthread_sigmask(SIG_UNBLOCK, &m_signals, nullptr); // the next one ends the process
        return;
    }
}

} // namespace headscope::app
