#include "core/base/memory.h"

#include "core/base/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <unistd.h>

namespace headscope {

namespace {

constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

/// Reads "MemAvailable:   16303412 kB" (proc(5)).
std::uint64_t kernelsEstimate()
{
    std::ifstream file("/proc/meminfo");
    std::string key;
    std::uint64_t kilobytes = 0;
    std::string unit;
    while (file >> key >> kilobytes && std::getline(file, unit))
        if (key == "MemAvailable:")
            return kilobytes * 1024;
    return kUnknown;
}

/// Reads the limit only: a group's usage includes file pages that the kernel reclaims.
std::uint64_t groupLimit()
{
    std::ifstream file("/sys/fs/cgroup/memory.max");
    std::uint64_t bytes = 0;
    return file >> bytes ? bytes : kUnknown; // "max" is not a number
}

std::uint64_t physicalMemory()
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long pageSize = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && pageSize > 0
               ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(pageSize)
               : kUnknown;
}

} // namespace

std::uint64_t availableMemory()
{
    return std::min({kernelsEstimate(), groupLimit(), physicalMemory()});
}

void requireMemory(std::uint64_t bytes, const std::string& what, std::uint64_t available)
{
    if (bytes > available)
        throw Error(fmt::format("{} needs {} bytes of memory, but only {} are available", what,
                                bytes, available),
                    "memory", "Choose a smaller one, or close other programs");
}

} // namespace headscope
