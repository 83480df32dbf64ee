#pragma once

#include "core/model/config/model_config.h"

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

namespace headscope {

/// Configuration of the model in Headscope's terms. `tensors` are the names in the weight files,
/// which show the heads that a model was saved with; `where` names the file in errors. Throws
/// FormatError, naming the key, its value and the supported ones, for anything that would change
/// the arithmetic.
ModelConfig huggingFaceConfig(const nlohmann::json& config, const std::set<std::string>& tensors,
                              const std::string& where);

} // namespace headscope
