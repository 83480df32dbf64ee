#pragma once

#include "core/text/files/json_part.h"
#include "core/text/normalizers/text_normalizer.h"

namespace headscope {

/// Reads the normalizers of a tokenizer.json. Throws FormatError for a damaged or unsupported one.
TextNormalizer readNormalizer(const JsonPart& part);

/// Reads {"Regex": "..."} or {"String": "..."} under "pattern".
TextPattern readPattern(const JsonPart& part);

} // namespace headscope
