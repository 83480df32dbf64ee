#pragma once

#include "core/model/config/model_config.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace headscope {

/// Reads the `model` object of a training configuration or checkpoint. A `preset` key gives the
/// starting point. Unknown keys and values are rejected with the nearest known name; `where` names
/// the file in errors. Every range is checked here, before anything is allocated. Without a
/// `vocab_size` the vocabulary is the preset's, or 0 (the tokenizer determines it); without a
/// `d_ff` it is in the same proportion to d_model as in the preset, or 4 d_model. `embedding_scale`
/// may be "sqrt" (of d_model) and `head_scale` "inverse_sqrt". `n_kv_heads` equal to `n_heads` is
/// read as 0.
ModelConfig modelConfigFromJson(const nlohmann::json& json, const std::string& where);

/// Writes JSON that reads back as the same configuration.
nlohmann::json toJson(const ModelConfig& config);

} // namespace headscope
