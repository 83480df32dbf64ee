#pragma once

#include <atomic>
#include <cstddef>

namespace headscope {

/// Keeps the process alive when a mapped file is truncated. Reading a page beyond the new end
/// raises SIGBUS; while a guard watches the range, the page becomes zeros instead and
/// bytesWereLost() reports it. Signals for other addresses are passed to the previous handler.
class MapGuard
{
public:
    MapGuard(const void* begin, std::size_t size); ///< Throws Error beyond some hundred guards.
    ~MapGuard();
    MapGuard(const MapGuard&) = delete;
    MapGuard& operator=(const MapGuard&) = delete;

    bool bytesWereLost() const;

    struct Range;

private:
    Range* m_range;
};

} // namespace headscope
