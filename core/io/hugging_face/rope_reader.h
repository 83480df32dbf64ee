#pragma once

#include "core/io/hugging_face/config_reader.h"

namespace headscope {

/// Reads "rope_parameters" of transformers 5, or the keys that it replaced, into config.rope. What
/// neither has is taken from `theta` and `fraction`, the rotated fraction of a head, which must be
/// known with all extents of `config` that determine the width of a head.
void readRope(const ConfigReader& json, ModelConfig& config, double theta = 10000.0,
              double fraction = 1.0, const char* oldTheta = "rope_theta",
              const char* oldFraction = "partial_rotary_factor");

/// The same for one kind of layer, such as "sliding_attention", of a family whose layers differ:
/// its own object in "rope_parameters", or the old theta and, where `scaled`, "rope_scaling".
RopeSettings readLayerRope(const ConfigReader& json, const ModelConfig& config, const char* kind,
                           const char* oldTheta, double theta, bool scaled);

} // namespace headscope
