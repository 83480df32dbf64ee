#pragma once

// Four floats: every supported processor has such a register. For short memory-bound loops; the
// others have kernels for each instruction set (kernels.h).

#include <cstdint>

namespace headscope {

using Lanes = float __attribute__((vector_size(16)));
constexpr std::int64_t kLaneCount = 4;
/// Lanes at any float address. The attributes belong to the name: clang ignores `aligned` after the
/// type.
using UnalignedLanes __attribute__((aligned(4), may_alias)) = Lanes;

inline Lanes loadLanes(const float* values)
{
    return *reinterpret_cast<const UnalignedLanes*>(values);
}

inline void storeLanes(float* values, Lanes lanes)
{
    *reinterpret_cast<UnalignedLanes*>(values) = lanes;
}

} // namespace headscope
