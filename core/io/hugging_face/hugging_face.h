#pragma once

#include "core/io/stored_model.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

namespace headscope {

/// Reads models in the layout of Hugging Face transformers: config.json with model.safetensors, or
/// with the shards that model.safetensors.index.json lists. Known model_type: bert, bloom, gpt2,
/// gpt_neox, llama, mistral, qwen2, t5 (v1.0 and v1.1). BLOOM and T5 can run on texts of any
/// length: max_len is what the file says (seq_length, n_positions), else 2048 and 512, the lengths
/// that they were trained on.

/// Finds every parameter, reads none; weights stay in the mapped files as they are (F32, F16, BF16;
/// other types become floats). Every parameter must be there, with the shape that the configuration
/// says, and no tensor may be left over. A model.safetensors that is a link is followed; the files
/// that an index names must lie in the folder. Throws FormatError.
StoredModel findHuggingFaceModel(const std::filesystem::path& folder);

} // namespace headscope
