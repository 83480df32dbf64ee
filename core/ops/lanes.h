#pragma once

// Four floats: every processor that we build for has such a register. For short loops whose time
// goes to memory; the others have kernels for each instruction set (kernels.h).

#include <cstdint>

namespace headscope {

using Lanes = float __attribute__((vector_size(16)));
constexpr std::int64_t kLaneCount = 4;

inline Lanes loadLanes(const float* values)
{
    using Loose = float __attribute__((vector_size(16), aligned(4), may_alias));
    return *reinterpret_cast<const Loose*>(values);
}

inline void storeLanes(float* values, Lanes lanes)
{
    using Loose = float __attribute__((vector_size(16), aligned(4), may_alias));
    *reinterpret_cast<Loose*>(values) = lanes;
}

} // namespace headscope
