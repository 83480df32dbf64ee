#pragma once

#include "core/io/adapters/stored_adapter.h"

#include <filesystem>

namespace headscope {

class GgufFile;

/// True for a file with general.type "adapter".
bool isGgufAdapter(const GgufFile& file);

/// Reads a LoRA adapter as llama.cpp's convert_lora_to_gguf.py writes it: NAME.lora_a [r, inputs] and
/// NAME.lora_b [outputs, r] for a weight NAME, for token_embd [tokens, r] and [width, r]. The factor
/// is adapter.lora.alpha / r, or 1 where alpha is 0. Throws FormatError.
StoredAdapter readGgufAdapter(const std::filesystem::path& path);

} // namespace headscope
