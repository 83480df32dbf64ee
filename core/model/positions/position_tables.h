#pragma once

#include "core/model/positions/position_encoding.h"
#include "core/ops/rope.h"

namespace headscope {

/// Tables of a model's positions, computed once for all its passes.
struct PositionTables
{
    RopeTable rope; ///< Empty unless something is rotated.
    Tensor vectors; ///< Vectors added to embeddings [maxLen, d], unless learned.
    Tensor slopes;  ///< Slopes [heads] by which scores decrease with the distance.
};

} // namespace headscope
