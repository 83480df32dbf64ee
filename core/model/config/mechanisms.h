#pragma once

#include "core/model/config/model_config.h"

#include <string>
#include <vector>

namespace headscope {

/// What a configuration makes a model compute, in the field's terms: "grouped-query attention",
/// "rotary positions", "window of 4096 in 5 of 6 layers".
std::vector<std::string> mechanismsOf(const ModelConfig& config);

} // namespace headscope
