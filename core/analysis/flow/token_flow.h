#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope {

/// A graph of tokens and layers: mixing[l](i, j) is the share of token i's stream after layer l
/// that comes from token j's stream before it. Level 0 is the input, level l + 1 what is after
/// layer l.

/// Shares of at least `threshold`, each row divided by what is left of it; a row without any keeps
/// none. [n, n] as given.
Tensor strongestShares(TensorView mixing, float threshold);

/// What reaches one node along every path: edges of [level] matrices [n, n], each the share of the
/// node's stream that passes there. The sums over the columns of the first are the rollout's row
/// (Abnar, Zuidema 2020, section 3). Throws ShapeError for a node that does not exist.
std::vector<Tensor> pathsInto(std::span<const Tensor> mixing, std::int64_t level,
                              std::int64_t token);

} // namespace headscope
