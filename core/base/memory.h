#pragma once

#include <cstdint>
#include <string>

namespace headscope {

/// Bytes that this process can allocate without swapping: what the kernel reports as available, or
/// the limit of the control group where that is lower.
std::uint64_t availableMemory();

/// Largest resident memory of this process in bytes since the last resetPeakMemory(); 0 where the
/// kernel does not count it.
std::uint64_t peakMemory();
void resetPeakMemory();

/// Throws Error "WHAT needs N bytes of memory, but only M are available" unless `bytes` are
/// available. Call it before any large allocation; `what` names it: "a model of 8030261248
/// parameters".
void requireMemory(std::uint64_t bytes, const std::string& what,
                   std::uint64_t available = availableMemory());

} // namespace headscope
