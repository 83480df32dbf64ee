#pragma once

#include "core/model/config/model_config.h"
#include "core/model/weights/stored_parameter.h"
#include "tests/support/gguf_builder.h"

namespace headscope::test {

/// A small llama, qwen2 or gpt2 with a vocabulary of 48 and rows of whole blocks.
ModelConfig ggufTestConfig(const std::string& architecture);

/// The metadata that converters write for such a model, without a tokenizer.
GgufBuilder ggufMetadata(const std::string& architecture, const ModelConfig& config);

/// Adds the tensors under the names that converters give them; `parameters` as of the layout.
void addGgufTensors(GgufBuilder& builder, const std::string& architecture,
                    const ModelConfig& config, const std::vector<StoredParameter>& parameters);

/// A whole file: a small llama in Q8_0 without a tokenizer. Untrained, its queries are zeros.
std::string smallGguf(bool isTrained = true, const std::string& chatTemplate = {});

} // namespace headscope::test
