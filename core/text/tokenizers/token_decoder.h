#pragma once

#include "core/text/splitting/text_pattern.h"

#include <memory>

namespace headscope {

/// One step from the texts of tokens, as a vocabulary stores them, to what a person reads. Bytes
/// stay exact where Hugging Face tokenizers would put U+FFFD for what is no UTF-8. Immutable.
class TokenDecoder
{
public:
    virtual ~TokenDecoder() = default;

    virtual std::vector<std::string> apply(std::vector<std::string> tokens) const = 0;
};

using DecoderPtr = std::unique_ptr<const TokenDecoder>;

DecoderPtr decoderSequence(std::vector<DecoderPtr> steps);

DecoderPtr byteLevelDecoder();    ///< out of GPT-2's alphabet; other texts stay as they are
DecoderPtr byteFallbackDecoder(); ///< <0x41> becomes its byte
DecoderPtr fuseDecoder();         ///< all into one

/// `mark` becomes a space; in the first token it goes when `hasPrefix`.
DecoderPtr metaspaceDecoder(std::string mark, bool hasPrefix);

/// What goes on in a word loses `mark`, others get a space before them. `cleans`: no space before
/// punctuation and English contractions.
DecoderPtr wordPieceDecoder(std::string mark, bool cleans);

/// Takes at most so many of `character` off both ends of every token.
DecoderPtr stripDecoder(std::string character, std::size_t atBegin, std::size_t atEnd);

DecoderPtr replaceDecoder(TextPattern pattern, std::string content);

/// SentencePiece: "▁" is a space, without the one that a text begins with when `hasPrefix`, and
/// without those of further tokens as long as nothing came before them when `removesSpaces`.
DecoderPtr pieceDecoder(bool hasPrefix, bool removesSpaces);

} // namespace headscope
