#pragma once

#include "core/base/stop.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace headscope {

/// Number of threads that parallelFor may use, including the caller. HEADSCOPE_THREADS overrides
/// it.
std::size_t workerCount();

namespace detail {
using RangeFunction = void (*)(void* body, std::size_t begin, std::size_t end, std::size_t part);
void runParallel(std::size_t count, std::size_t parts, RangeFunction call, void* body);
} // namespace detail

/// Calls body(begin, end, part) for `parts` contiguous ranges that cover [0, count). The split
/// depends on count and parts alone, so sums per part do not depend on timing. The caller computes
/// part 0; nested calls run in place. The first exception of any part is rethrown.
template<class Body>
void parallelFor(std::size_t count, std::size_t parts, Body&& body)
{
    using Plain = std::remove_reference_t<Body>;
    detail::runParallel(
        count, parts,
        [](void* erased, std::size_t begin, std::size_t end, std::size_t part) {
            (*static_cast<Plain*>(erased))(begin, end, part);
        },
        const_cast<void*>(static_cast<const void*>(std::addressof(body))));
}

/// Calls body(index) for every index below `count`, in at most `parts` ranges as above. Throws
/// Cancelled when a stop is requested.
template<class Body>
void parallelForEach(std::size_t count, std::size_t parts, const std::stop_token& stop,
                     const Body& body)
{
    parallelFor(count, std::min(count, parts),
                [&](std::size_t begin, std::size_t end, std::size_t) {
                    for (std::size_t index = begin; index < end; ++index) {
                        throwIfStopped(stop);
                        body(index);
                    }
                });
}

} // namespace headscope
