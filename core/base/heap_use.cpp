#include "core/base/heap_use.h"

#include <malloc.h>

namespace headscope {

std::uint64_t heapInUse()
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

} // namespace headscope
