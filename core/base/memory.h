#pragma once

#include <cstdint>
#include <string>

namespace headscope {

/// Bytes that this process can still take without driving the machine into its swap: what the
/// kernel calls available, or the limit of the control group where that is less.
std::uint64_t availableMemory();

/// Throws Error "WHAT needs N bytes and M are free" unless `bytes` are available. To be asked
/// before anything large is allocated; `what` names it: "a model of 8030261248 parameters".
void requireMemory(std::uint64_t bytes, const std::string& what,
                   std::uint64_t available = availableMemory());

} // namespace headscope
