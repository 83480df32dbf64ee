#pragma once

#include "core/model/positions/position_encoding.h"
#include "core/ops/rope.h"

#include <vector>

namespace headscope {

/// Tables of a model's positions, computed once for all its passes.
struct PositionTables
{
    const RopeTable* ropeOf(std::int64_t layer) const
    {
        return ropes.empty() ? nullptr : &ropes[ropeIndex(layer)];
    }

    std::size_t ropeIndex(std::int64_t layer) const
    {
        return layerRopes.empty() ? 0 : layerRopes[static_cast<std::size_t>(layer)];
    }

    std::vector<RopeTable> ropes; ///< One for each of the model's RopeSettings; empty without.
    std::vector<std::size_t> layerRopes; ///< Index of each layer's table; empty: all use the first.
    Tensor vectors; ///< Vectors added to embeddings [maxLen, d], unless learned.
    Tensor slopes;  ///< Slopes [heads] by which scores decrease with the distance.
};

} // namespace headscope
