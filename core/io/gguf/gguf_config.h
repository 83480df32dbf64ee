#pragma once

#include "core/io/gguf/gguf_file.h"
#include "core/model/config/model_config.h"

namespace headscope {

/// Configuration of the model in Headscope's terms. Throws FormatError, naming the key, its value
/// and the supported ones, for anything that would change the arithmetic.
ModelConfig ggufConfig(const GgufFile& file);

} // namespace headscope
