#pragma once

#include "core/text/tokenizers/tokenizer.h"

namespace headscope::ui {

/// Bytes in the text for a chip's token or character: tokens that share a character are joined, so
/// that the range never splits a UTF-8 sequence. Empty for a token that is not in the text.
ByteRange editableBytes(const TokenSequence& tokens, const Tokenizer& tokenizer, int index);

} // namespace headscope::ui
