#pragma once

#include "core/model/config/model_config.h"

#include <string>
#include <utility>
#include <vector>

namespace headscope::test {

/// Small valid configurations, at least one for every mechanism that a ModelConfig can name. No
/// extent fills a cache line by itself.
std::vector<std::pair<std::string, ModelConfig>> modelKinds();

} // namespace headscope::test
