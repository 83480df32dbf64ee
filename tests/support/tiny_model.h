#pragma once

#include "core/model/pass/tracer.h"

#include <filesystem>

namespace headscope::test {

/// Every byte a token, and a few merges of English.
std::string tinyTokenizerJson();

/// A freshly initialised decoder for that tokenizer: 2 layers of 2 heads, width 8, 32 positions.
LoadedModel tinyModel(std::uint64_t seed = 1);

/// Writes model.safetensors and tokenizer.json into `folder` and returns the checkpoint's path.
std::filesystem::path saveTinyModel(const std::filesystem::path& folder, std::uint64_t seed = 1);

} // namespace headscope::test
