#pragma once

#include "core/text/tokenizers/piece_model_rules.h"
#include "core/text/tokenizers/tokenizer.h"

#include <memory>

namespace headscope {

/// Contents of a SentencePiece model (spiece.model, tokenizer.model).
struct SentencePieceModel
{
    enum class Algorithm { Unigram = 1, Bpe = 2, Word = 3, Char = 4 };

    Algorithm algorithm = Algorithm::Unigram;
    std::vector<std::string> pieces; ///< Pieces by id.
    std::vector<float> scores;
    std::vector<PieceKind> kinds;
    std::string charsMap; ///< See CharsMap.
    bool addPrefix = true;
    bool removeSpaces = true;
    bool escapeSpaces = true;
    bool byteFallback = false;
    bool spaceEndsWords = false; ///< "▁" follows words instead of preceding them
    bool hasDenormalizer = false;
    std::string unknownSurface = " \u2047 ";
    std::int32_t bos = 1; ///< -1: none
    std::int32_t eos = 2;
};

/// Throws FormatError, naming `where`, for a truncated file or one that is not a SentencePiece
/// model.
SentencePieceModel parseSentencePiece(std::string_view file, const std::string& where);

/// Tokens around a text.
struct AddedEnds
{
    bool bos = false;
    bool eos = false;
};

/// Builds the tokenizer with the ids of the SentencePiece library; bos and eos are never matched in
/// the text. Throws FormatError.
std::shared_ptr<const Tokenizer> makeTokenizer(const SentencePieceModel& model, AddedEnds ends,
                                               const std::string& where);

} // namespace headscope
