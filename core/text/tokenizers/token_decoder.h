#pragma once

#include "core/text/splitting/text_pattern.h"

#include <memory>

namespace headscope {

/// One step from the texts of tokens, as a vocabulary stores them, to readable text. Bytes stay
/// exact where Hugging Face tokenizers would substitute U+FFFD for invalid UTF-8. Immutable.
class TokenDecoder
{
public:
    virtual ~TokenDecoder() = default;

    virtual std::vector<std::string> apply(std::vector<std::string> tokens) const = 0;
};

using DecoderPtr = std::unique_ptr<const TokenDecoder>;

DecoderPtr decoderSequence(std::vector<DecoderPtr> steps);

DecoderPtr byteLevelDecoder();    ///< Decodes GPT-2's alphabet; other texts are unchanged.
DecoderPtr byteFallbackDecoder(); ///< <0x41> becomes its byte
DecoderPtr fuseDecoder();         ///< Joins all tokens into one text.

/// Replaces `mark` by a space; removes it from the first token when `hasPrefix`.
DecoderPtr metaspaceDecoder(std::string mark, bool hasPrefix);

/// Removes `mark` from continuations and puts a space before other tokens. `cleans`: no space
/// before punctuation and English contractions.
DecoderPtr wordPieceDecoder(std::string mark, bool cleans);

/// Strips up to the given numbers of `character` from both ends of every token.
DecoderPtr stripDecoder(std::string character, std::size_t atBegin, std::size_t atEnd);

DecoderPtr replaceDecoder(TextPattern pattern, std::string content);

/// Decodes SentencePiece: "▁" is a space, except at the beginning of a text when `hasPrefix`, and
/// in further tokens before any output when `removesSpaces`.
DecoderPtr pieceDecoder(bool hasPrefix, bool removesSpaces);

} // namespace headscope
