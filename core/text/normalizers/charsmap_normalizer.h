#pragma once

#include "core/text/normalizers/charsmap.h"
#include "core/text/normalizers/text_normalizer.h"

namespace headscope {

/// SentencePiece's table of replacements, as Hugging Face tokenizers applies it: to grapheme
/// clusters where they are short, else to single code points; the shortest match counts.
TextNormalizer charsMapNormalizer(CharsMap map);

} // namespace headscope
