#pragma once

#include "core/text/tokenizers/tokenizer.h"

namespace headscope::fuzz {

/// Encodes and decodes as typing does. Throws std::logic_error where a token lies outside its text
/// or has no name. What a text is refused for need not name the file.
void useTokenizer(const Tokenizer& tokenizer);

/// One text. True when it was not refused.
bool encodes(const Tokenizer& tokenizer, std::string_view text);

} // namespace headscope::fuzz
