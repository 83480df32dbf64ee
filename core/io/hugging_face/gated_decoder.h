#pragma once

#include "core/io/hugging_face/config_reader.h"
#include "core/io/hugging_face/parameter_name.h"

namespace headscope {

/// Settings shared by Llama and the families after it: RMS norm, rotary positions, a gated
/// feed-forward network, no biases. `keyHeads` and `theta` are what the family means by leaving
/// them out.
ModelConfig readGatedDecoder(const ConfigReader& json, std::int64_t keyHeads,
                             double theta = 10000.0);

/// Names of their parameters.
const PartNames& gatedDecoderNames();

} // namespace headscope
