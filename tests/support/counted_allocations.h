#pragma once

// Replaces operator new and delete of the whole program, libraries included, and counts. To be
// included by one source file of a test program. Every form is replaced: a sanitizer refuses memory
// from its own operator new that another's operator delete returns.

#include <atomic>
#include <cstdlib>
#include <new>

namespace headscope::test {

inline std::atomic<long> allocations{0};
inline std::atomic<long> allocatedBytes{0};
inline std::atomic<std::size_t> watchedSize{0};
inline std::atomic<long> watchedAllocations{
    0}; ///< of watchedSize bytes, rounded up to whole cache lines

inline void* countedOrNull(std::size_t size, std::size_t alignment) noexcept
{
    ++allocations;
    allocatedBytes += static_cast<long>(size);
    const std::size_t watched = watchedSize;
    if (size >= watched && size < watched + 64)
        ++watchedAllocations;
    const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
    return std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
}

inline void* counted(std::size_t size, std::size_t alignment)
{
    if (void* const memory = countedOrNull(size, alignment))
        return memory;
    throw std::bad_alloc();
}

} // namespace headscope::test

void* operator new(std::size_t size)
{
    return headscope::test::counted(size, alignof(std::max_align_t));
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept
{
    return headscope::test::countedOrNull(size, alignof(std::max_align_t));
}

void* operator new(std::size_t size, std::align_val_t alignment)
{
    return headscope::test::counted(size, static_cast<std::size_t>(alignment));
}

void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept
{
    return headscope::test::countedOrNull(size, static_cast<std::size_t>(alignment));
}

void* operator new[](std::size_t size)
{
    return operator new(size);
}

void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept
{
    return operator new(size, tag);
}

void* operator new[](std::size_t size, std::align_val_t alignment)
{
    return operator new(size, alignment);
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::align_val_t) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t, std::align_val_t) noexcept
{
    std::free(memory);
}

void operator delete[](void* memory) noexcept
{
    std::free(memory);
}

void operator delete[](void* memory, std::size_t) noexcept
{
    std::free(memory);
}

void operator delete[](void* memory, std::align_val_t) noexcept
{
    std::free(memory);
}

void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept
{
    std::free(memory);
}
