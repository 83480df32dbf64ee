#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope {

/// A graph of tokens and layers: mixing[l](i, j) is the contribution of token j's stream before
/// layer l to token i's stream after it. Level 0 is the input, level l + 1 the output of layer l.

/// Contributions of at least `threshold`, each row renormalised; a row without any becomes zero.
/// [n, n] as given.
Tensor strongestContributions(TensorView mixing, float threshold);

/// Contributions to one node along every path: edges of [level] matrices [n, n], each the fraction
/// of the node's stream that passes through it. The sums over the columns of the first are the
/// rollout's row (Abnar, Zuidema 2020, section 3). Throws ShapeError for a node that does not
/// exist.
std::vector<Tensor> pathsInto(std::span<const Tensor> mixing, std::int64_t level,
                              std::int64_t token);

} // namespace headscope
