#include "core/base/memory.h"

#include "core/base/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <unistd.h>

namespace headscope {

namespace {

constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

/// Reads "MemAvailable:   16303412 kB" (proc(5)).
std::uint64_t entryOf(const char* path, const std::string& name, std::uint64_t otherwise)
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string key;
        std::uint64_t kilobytes = 0;
        if (words >> key >> kilobytes && key == name)
            return kilobytes * 1024;
    }
    return otherwise;
}

std::uint64_t kernelsEstimate()
{
    return entryOf("/proc/meminfo", "MemAvailable:", kUnknown);
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

std::uint64_t peakMemory()
{
    return entryOf("/proc/self/status", "VmHWM:", 0);
}

void resetPeakMemory()
{
    std::ofstream("/proc/self/clear_refs") << 5; // proc(5): resets VmHWM
}

void requireMemory(std::uint64_t bytes, const std::string& what, std::uint64_t available)
{
    if (bytes > available)
        throw Error(fmt::format("{} needs {} bytes of memory, but only {} are available", what,
                                bytes, available),
                    "memory", "Choose a smaller one, or close other programs");
}

} // namespace headscope
