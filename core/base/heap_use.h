#pragma once

#include <cstdint>

namespace headscope {

/// Bytes that the allocator has handed out to this process, all threads together; 0 where it does
/// not count them (under a sanitizer).
std::uint64_t heapInUse();

} // namespace headscope
