#pragma once

#include "core/io/gguf/gguf_file.h"
#include "core/model/config/model_config.h"

namespace headscope {

/// The configuration in our words. Throws FormatError naming the key, its value and what is
/// possible for everything that would change the arithmetic.
ModelConfig ggufConfig(const GgufFile& file);

} // namespace headscope
