#pragma once

#include "gpu/attention/call_operands.h"

namespace headscope::gpu {

// Tiled kernels of one call. Maps follow forward.
void forwardTiles(Call& call, const Placed& context, const Placed& statistic);
void mapTiles(Call& call, const Placed& statistic, cl_mem pattern, cl_mem scores);
void backwardTiles(Call& call, const BackwardBuffers& b);

} // namespace headscope::gpu
