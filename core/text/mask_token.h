#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <optional>
#include <string>

namespace headscope {

/// Token that hides a word from an encoder: "[MASK]" (BERT) or "<mask>" (RoBERTa), if there is one.
std::optional<TokenId> maskToken(const Tokenizer& tokenizer);

/// Replacement of some bytes of a text.
struct TextEdit
{
    ByteRange bytes;
    std::string text;
};

/// Puts the mask token in place of the token at `bytes`, after the white space that it begins with.
/// Throws Error for a tokenizer without one.
TextEdit maskedEdit(const TokenSequence& text, ByteRange bytes, const Tokenizer& tokenizer);

/// Puts a predicted token in place of the mask token at `bytes`, so that the tokenizer reads it
/// there: with or without the white space before it, as the token demands.
TextEdit filledEdit(const TokenSequence& text, ByteRange bytes, TokenId id,
                    const Tokenizer& tokenizer);

} // namespace headscope
