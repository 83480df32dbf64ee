#pragma once

#include "core/text/files/json_part.h"
#include "core/text/normalizers/text_normalizer.h"

namespace headscope {

/// The normalizers of a tokenizer.json. Throws FormatError for what is damaged or not known.
NormalizerPtr readNormalizer(const JsonPart& part);

/// {"Regex": "..."} or {"String": "..."} under "pattern".
TextPattern readPattern(const JsonPart& part);

} // namespace headscope
