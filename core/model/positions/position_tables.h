#pragma once

#include "core/model/positions/position_encoding.h"
#include "core/ops/rope.h"

namespace headscope {

/// What a model's positions add or turn by, computed once for all its passes.
struct PositionTables
{
    RopeTable rope; ///< empty unless something turns
    Tensor vectors; ///< [maxLen, d], where vectors are added that are not learned
    Tensor slopes;  ///< [heads], where scores sink with the distance
};

} // namespace headscope
