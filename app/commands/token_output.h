#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <string>
#include <string_view>

namespace headscope::app {

/// "    320      0..3      The": id, bytes of the text, display text.
std::string tokenLine(const Token& token, const Tokenizer& tokenizer);

/// Prints the line of each token, then an empty line. The tokens of a long text are never all in
/// memory.
void printTokenTable(const Tokenizer& tokenizer, std::string_view text, bool addSpecial);

/// Prints {"ids", "offsets", "text", "tokens"} as one line. Throws Error for a text of 4 GiB.
void printTokenJson(const Tokenizer& tokenizer, std::string_view text, bool addSpecial);

} // namespace headscope::app
