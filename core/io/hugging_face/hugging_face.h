#pragma once

#include "core/io/stored_model.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

namespace headscope {

/// Reads models in the layout of Hugging Face transformers: config.json with model.safetensors, or
/// with the shards that model.safetensors.index.json lists. Supported: the families of
/// huggingFaceFamilies(). BLOOM and T5 can process texts of any length: max_len is that of the file
/// (seq_length, n_positions), else 2048 and 512, the lengths that they were trained on.

/// Finds every parameter, reads none; weights stay in the mapped files unchanged (F32, F16, BF16;
/// other types become floats). Every parameter must exist with the configured shape, and no tensor
/// may be unused. A model.safetensors that is a link is followed; the files that an index names
/// must be in the folder. Throws FormatError.
StoredModel findHuggingFaceModel(const std::filesystem::path& folder);

} // namespace headscope
