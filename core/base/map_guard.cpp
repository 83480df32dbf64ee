#include "core/base/map_guard.h"

#include "core/base/error.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>

#include <sys/mman.h>
#include <unistd.h>

namespace headscope {

struct MapGuard::Range
{
    std::atomic<bool> taken{false};
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::uintptr_t> end{0}; ///< End of the range; 0: no range is watched.
    std::atomic<bool> lost{false};
};

namespace {

constexpr std::size_t kMaxGuards = 1024; ///< More than the shards of the largest models.

// A fixed array of lock-free words: all that a signal handler may access.
std::array<MapGuard::Range, kMaxGuards> ranges;
std::uintptr_t pageSize = 0;
struct sigaction previousAction = {};

static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

MapGuard::Range* rangeAround(std::uintptr_t address)
{
    for (MapGuard::Range& range : ranges)
        if (address >= range.begin.load() && address < range.end.load())
            return &range;
    return nullptr;
}

/// Behaves as if no handler were installed.
void passOn(int signal, siginfo_t* info, void* context)
{
    if ((previousAction.sa_flags & SA_SIGINFO) != 0 && previousAction.sa_sigaction != nullptr) {
        previousAction.sa_sigaction(signal, info, context);
        return;
    }
    if (previousAction.sa_handler != SIG_DFL && previousAction.sa_handler != SIG_IGN) {
        previousAction.sa_handler(signal);
        return;
    }
    ::sigaction(signal, &previousAction, nullptr);
    ::raise(signal); // delivered when this handler returns
}

void putZeros(int signal, siginfo_t* info, void* context)
{
    const int savedErrno = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    // excludes signals sent by kill()
    MapGuard::Range* const range = info->si_code == BUS_ADRERR ? rangeAround(address) : nullptr;
    void* const page = reinterpret_cast<void*>(address / pageSize * pageSize);
    const bool replaced =
        range != nullptr && ::mmap(page, pageSize, PROT_READ,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
    if (replaced)
        range->lost = true;
    else
        passOn(signal, info, context);
    errno = savedErrno;
}

void installHandler()
{
    static std::once_flag once;
    std::call_once(once, [] {
        pageSize = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        struct sigaction action = {};
        action.sa_sigaction = putZeros;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        if (::sigaction(SIGBUS, &action, &previousAction) != 0)
            throw Error("cannot guard mapped files", "sigaction");
    });
}

MapGuard::Range* takeRange()
{
    for (MapGuard::Range& range : ranges)
        if (!range.taken.exchange(true))
            return &range;
    throw Error("too many mapped files", {}, "Close models that you do not need");
}

} // namespace

MapGuard::MapGuard(const void* begin, std::size_t size)
{
    installHandler();
    m_range = takeRange();
    m_range->lost = false;
    m_range->begin = reinterpret_cast<std::uintptr_t>(begin);
    m_range->end = reinterpret_cast<std::uintptr_t>(begin) + size;
}

MapGuard::~MapGuard()
{
    m_range->end = 0;
    m_range->begin = 0;
    m_range->taken = false;
}

bool MapGuard::bytesWereLost() const
{
    return m_range->lost;
}

} // namespace headscope
