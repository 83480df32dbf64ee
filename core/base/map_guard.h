#pragma once

#include <atomic>
#include <cstddef>

namespace headscope {

/// Keeps the process alive when bytes of a mapped file vanish. Reading a page behind the end of a
/// file that became shorter raises SIGBUS; while a guard watches the range, the page becomes zeros
/// instead and bytesWereLost() tells. Signals about other addresses go where they went before.
class MapGuard
{
public:
    MapGuard(const void* begin, std::size_t size); ///< throws Error beyond some hundred guards
    ~MapGuard();
    MapGuard(const MapGuard&) = delete;
    MapGuard& operator=(const MapGuard&) = delete;

    bool bytesWereLost() const;

    struct Range;

private:
    Range* m_range;
};

} // namespace headscope
