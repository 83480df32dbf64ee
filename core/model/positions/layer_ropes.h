#pragma once

#include "core/model/config/model_config.h"

#include <cstddef>
#include <vector>

// The rotations of a model's layers. Most models have one; Gemma 3 has one for local and one for
// global layers.

namespace headscope {

/// Different settings among the layers, in order, with their original length filled in.
std::vector<RopeSettings> ropesOf(const ModelConfig& config);

/// The same, in place of what `ropes` holds: its memory is used again.
void findRopes(const ModelConfig& config, std::vector<RopeSettings>& ropes);

/// Index of each layer's settings in ropesOf(); empty where all layers use the first.
std::vector<std::size_t> layerRopes(const ModelConfig& config);

/// Number that tells apart the rotations of texts of different lengths: two texts with the same
/// number are rotated alike. 0 within the original length, and where the length has no effect.
std::int64_t turningLength(const ModelConfig& config, std::int64_t tokens);

} // namespace headscope
