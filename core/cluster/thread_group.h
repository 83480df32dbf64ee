#pragma once

#include "core/cluster/communicator.h"

#include <functional>

namespace headscope {

/// Runs `work` on `size` threads of this process, each as one rank of a group, and waits for them:
/// a substitute for several processes. The first exception is rethrown; a group in which one member
/// fails ends as a whole.
void runThreadGroup(std::int64_t size, const std::function<void(Communicator&)>& work);

} // namespace headscope
