#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace headscope {

namespace {

thread_local bool insideParallel = false;

/// Number of polls by an idle worker before it sleeps: about 50 us, so that the forks of a training
/// step find it awake and an idle window costs nothing.
constexpr int kSpins = 2000;

/// One iteration of a spin loop. Yields the processor every so often, because this loop may be
/// keeping the awaited thread from running.
void pauseBriefly(int look)
{
    constexpr int kChecksBetweenYields = 64;
    if (look % kChecksBetweenYields == kChecksBetweenYields - 1)
        std::this_thread::yield();
#if defined(__x86_64__) || defined(__i386__)
    else
        __builtin_ia32_pause();
#endif
}

/// Waits until the counter is 0.
void awaitZero(const std::atomic<std::size_t>& counter)
{
    for (int look = 0; counter.load() != 0; look = (look + 1) % 1024)
        pauseBriefly(look);
}

/// Worker threads of the process. One job at a time; a second caller computes its job alone.
class Pool
{
public:
    explicit Pool(std::size_t helpers)
    {
        for (std::size_t helper = 0; helper < helpers; ++helper)
            m_threads.emplace_back([this](std::stop_token token) { work(token); });
    }

    ~Pool()
    {
        for (std::jthread& thread : m_threads)
            thread.request_stop();
        {
            const std::lock_guard lock(m_sleepMutex);
            m_generation.fetch_add(1);
        }
        m_wake.notify_all();
    }

    bool run(std::size_t count, std::size_t parts, detail::RangeFunction call, void* body)
    {
        std::unique_lock busy(m_jobMutex, std::try_to_lock);
        if (!busy.owns_lock() || m_threads.empty())
            return false;
        m_job = {count, parts, call, body};
        m_error = nullptr;
        m_next.store(1);
        m_pending.store(parts - 1);
        {
            const std::lock_guard lock(m_sleepMutex);
            m_generation.fetch_add(1);
        }
        m_wake.notify_all();
        computePart(0);
        takeParts();
        awaitZero(m_pending);
        awaitZero(m_active);
        if (m_error)
            std::rethrow_exception(m_error);
        return true;
    }

private:
    struct Job
    {
        std::size_t count = 0;
        std::size_t parts = 0;
        detail::RangeFunction call = nullptr;
        void* body = nullptr;
    };

    void work(const std::stop_token& token)
    {
        insideParallel = true;
        std::uint64_t seen = 0;
        while (!token.stop_requested()) {
            seen = waitForJob(seen);
            m_active.fetch_add(1);
            if (!token.stop_requested() && seen == m_generation.load())
                takeParts();
            m_active.fetch_sub(1);
        }
    }

    std::uint64_t waitForJob(std::uint64_t seen)
    {
        for (int spin = 0; spin < kSpins; ++spin) {
            const std::uint64_t now = m_generation.load();
            if (now != seen)
                return now;
            pauseBriefly(spin);
        }
        std::unique_lock lock(m_sleepMutex);
        m_wake.wait(lock, [&] { return m_generation.load() != seen; });
        return m_generation.load();
    }

    void takeParts()
    {
        for (;;) {
            if (m_pending.load() == 0)
                return;
            const std::size_t part = m_next.fetch_add(1);
            if (part >= m_job.parts)
                return;
            computePart(part);
            m_pending.fetch_sub(1);
        }
    }

    void computePart(std::size_t part)
    {
        const bool outer = insideParallel;
        insideParallel = true;
        try {
            m_job.call(m_job.body, m_job.count * part / m_job.parts,
                       m_job.count * (part + 1) / m_job.parts, part);
        } catch (...) {
            const std::lock_guard lock(m_errorMutex);
            if (!m_error)
                m_error = std::current_exception();
        }
        insideParallel = outer;
    }

    std::mutex m_jobMutex;
    std::mutex m_sleepMutex;
    std::mutex m_errorMutex;
    std::condition_variable m_wake;
    std::atomic<std::uint64_t> m_generation{0};
    std::atomic<std::size_t> m_next{0};
    std::atomic<std::size_t> m_pending{0};
    std::atomic<std::size_t> m_active{0};
    std::exception_ptr m_error;
    Job m_job;
    std::vector<std::jthread> m_threads;
};

} // namespace

std::size_t workerCount()
{
    static const std::size_t count = [] {
        if (const char* text = std::getenv("HEADSCOPE_THREADS"))
            return static_cast<std::size_t>(std::clamp(std::atoi(text), 1, 256));
        return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 64);
    }();
    return count;
}

void detail::runParallel(std::size_t count, std::size_t parts, RangeFunction call, void* body)
{
    parts = std::max<std::size_t>(1, std::min(parts, std::max<std::size_t>(count, 1)));
    static Pool pool(workerCount() - 1);
    if (parts > 1 && !insideParallel && pool.run(count, parts, call, body))
        return;
    for (std::size_t part = 0; part < parts; ++part)
        call(body, count * part / parts, count * (part + 1) / parts, part);
}

} // namespace headscope
