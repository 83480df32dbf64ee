#pragma once

#include "gpu/attention/call_operands.h"

namespace headscope::gpu {

// Block kernels of one call. Maps follow forward, whose packed keys they use.
void forwardBlocks(Call& call, const Placed& context, const Placed& statistic);
void mapBlocks(Call& call, const Placed& statistic, cl_mem pattern, cl_mem scores);
void backwardBlocks(Call& call, const BackwardBuffers& b);

} // namespace headscope::gpu
