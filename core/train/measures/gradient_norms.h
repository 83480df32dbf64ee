#pragma once

#include "core/train/trainer.h"

namespace headscope {

/// Gradient norm of each part, in the order of the parameters: "embeddings", "h.0", ..., "head".
std::vector<GradientNorm> normsByLayer(const ParameterSet& gradients);

} // namespace headscope
