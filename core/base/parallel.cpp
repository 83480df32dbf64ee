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

/// Number of polls before a thread sleeps, about 40 us: the forks of a training step find workers
/// awake, an idle window costs nothing, and a program that needs the processor gets it. A thread
/// that sleeps leaves its processor to one that was interrupted within its part, and once woken runs
/// before those that computed meanwhile; one that yields waits for a whole turn of theirs.
constexpr int kSpins = 2000;

void pauseBriefly()
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
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
        offer(0);
    }

    bool run(std::size_t count, std::size_t parts, detail::RangeFunction call, void* body)
    {
        std::unique_lock busy(m_jobMutex, std::try_to_lock);
        if (!busy.owns_lock() || m_threads.empty())
            return false;
        m_job = {count, parts, call, body};
        m_error = nullptr;
        m_pending.store(static_cast<std::uint32_t>(parts - 1));
        const std::uint64_t generation = offer(static_cast<std::uint32_t>(parts - 1));
        computePart(0);
        takeParts(generation);
        awaitOthers();
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

    /// Generation of the job above the number of its parts that nobody has taken.
    static constexpr int kGenerationShift = 32;

    static std::uint64_t generationOf(std::uint64_t ticket) { return ticket >> kGenerationShift; }

    /// Publishes the job under a new generation, and wakes the workers.
    std::uint64_t offer(std::uint32_t parts)
    {
        std::uint64_t generation = 0;
        {
            const std::lock_guard lock(m_sleepMutex);
            generation = (generationOf(m_ticket.load()) + 1) & 0xFFFFFFFFU;
            m_ticket.store(generation << kGenerationShift | parts);
        }
        m_wake.notify_all();
        return generation;
    }

    void work(const std::stop_token& token)
    {
        insideParallel = true;
        std::uint64_t seen = 0;
        while (!token.stop_requested()) {
            seen = awaitJob(seen);
            takeParts(seen);
        }
    }

    std::uint64_t awaitJob(std::uint64_t seen)
    {
        for (int spin = 0; spin < kSpins; ++spin) {
            const std::uint64_t now = generationOf(m_ticket.load());
            if (now != seen)
                return now;
            pauseBriefly();
        }
        std::unique_lock lock(m_sleepMutex);
        m_wake.wait(lock, [&] { return generationOf(m_ticket.load()) != seen; });
        return generationOf(m_ticket.load());
    }

    /// Takes a part of this job; 0 when none is left, as the caller has that one. A worker that comes
    /// late finds another generation, so nobody has to wait for it.
    std::size_t takePart(std::uint64_t generation)
    {
        std::uint64_t ticket = m_ticket.load();
        do {
            if (generationOf(ticket) != generation || static_cast<std::uint32_t>(ticket) == 0)
                return 0;
        } while (!m_ticket.compare_exchange_weak(ticket, ticket - 1));
        return m_job.parts -
               static_cast<std::uint32_t>(ticket); // unchanged while parts are pending
    }

    void takeParts(std::uint64_t generation)
    {
        while (const std::size_t part = takePart(generation)) {
            computePart(part);
            if (m_pending.fetch_sub(1) == 1)
                m_pending.notify_one();
        }
    }

    void awaitOthers()
    {
        for (int spin = 0; spin < kSpins; ++spin) {
            if (m_pending.load() == 0)
                return;
            pauseBriefly();
        }
        while (const std::uint32_t pending = m_pending.load())
            m_pending.wait(pending);
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
    std::atomic<std::uint64_t> m_ticket{0};
    std::atomic<std::uint32_t> m_pending{0}; ///< Parts of the workers that are not finished.
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
