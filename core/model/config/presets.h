#pragma once

#include "core/model/config/model_config.h"

#include <string>
#include <vector>

namespace headscope {

/// Presets "minigpt", "bert-toy", "gpt2-toy", "llama-toy" and "t5-toy", to be trained with any
/// tokenizer (their vocabulary is 0 until then); "transformer-base" (2017) and, for reference, the
/// sizes of "gpt2", "gpt3", "llama3-8b" and "llama3-70b". Throws Error with the nearest name.
ModelConfig presetConfig(const std::string& name);
std::vector<std::string> presetNames();

} // namespace headscope
