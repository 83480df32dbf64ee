#pragma once

#include "core/io/adapters/stored_adapter.h"

#include <filesystem>

namespace headscope {

/// True for a folder with adapter_config.json.
bool isPeftFolder(const std::filesystem::path& path);

/// Reads a LoRA adapter as PEFT saves it: adapter_config.json (r, lora_alpha, use_rslora,
/// rank_pattern, alpha_pattern) and adapter_model.safetensors. The factor is alpha / r, or alpha /
/// sqrt(r) with use_rslora (Kalajdzievski 2023). fan_in_fan_out changes nothing here: A is [r,
/// inputs] and B [outputs, r] however the base model stores its matrix. Throws FormatError for
/// other kinds of adapters (DoRA, biases, whole modules, updates of a changed base such as PiSSA).
StoredAdapter readPeftAdapter(const std::filesystem::path& folder);

} // namespace headscope
