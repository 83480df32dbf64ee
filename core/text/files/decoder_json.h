#pragma once

#include "core/text/files/json_part.h"
#include "core/text/tokenizers/pipeline_tokenizer.h"

namespace headscope {

/// Throws FormatError for a damaged or unsupported decoder.
TokenDecoder readDecoder(const JsonPart& part, TokenSpelling& spelling);

} // namespace headscope
