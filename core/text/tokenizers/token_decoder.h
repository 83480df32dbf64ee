#pragma once

#include "core/text/splitting/text_pattern.h"

#include <functional>
#include <string>
#include <vector>

namespace headscope {

/// One step from the texts of tokens, as a vocabulary stores them, to readable text. Bytes stay
/// exact where Hugging Face tokenizers would substitute U+FFFD for invalid UTF-8.
using TokenDecoder = std::function<std::vector<std::string>(std::vector<std::string> tokens)>;

TokenDecoder decoderSequence(std::vector<TokenDecoder> steps);

TokenDecoder byteLevelDecoder();    ///< Decodes GPT-2's alphabet; other texts are unchanged.
TokenDecoder byteFallbackDecoder(); ///< <0x41> becomes its byte
TokenDecoder fuseDecoder();         ///< Joins all tokens into one text.

/// Replaces `mark` by a space; removes it from the first token when `hasPrefix`.
TokenDecoder metaspaceDecoder(std::string mark, bool hasPrefix);

/// Removes `mark` from continuations and puts a space before other tokens. `cleans`: no space
/// before punctuation and English contractions.
TokenDecoder wordPieceDecoder(std::string mark, bool cleans);

/// Strips up to the given numbers of `character` from both ends of every token.
TokenDecoder stripDecoder(std::string character, std::size_t atBegin, std::size_t atEnd);

TokenDecoder replaceDecoder(TextPattern pattern, std::string content);

/// Decodes SentencePiece: "▁" is a space, except at the beginning of a text when `hasPrefix`, and
/// in further tokens before any output when `removesSpaces`.
TokenDecoder pieceDecoder(bool hasPrefix, bool removesSpaces);

} // namespace headscope
