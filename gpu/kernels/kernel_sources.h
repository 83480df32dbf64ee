#pragma once

#include <string_view>

namespace headscope::gpu {

/// Text of gpu/kernels/NAME.cl as embedded at build time; empty for an unknown name.
std::string_view kernelSource(std::string_view name);

} // namespace headscope::gpu
