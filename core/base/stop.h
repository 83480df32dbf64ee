#pragma once

#include "core/base/error.h"

#include <stop_token>

namespace headscope {

/// Throws Cancelled when a stop is requested.
inline void throwIfStopped(const std::stop_token& stop)
{
    if (stop.stop_requested())
        throw Cancelled();
}

} // namespace headscope
