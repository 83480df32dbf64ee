#pragma once

#include "core/text/normalizers/charsmap.h"
#include "core/text/normalizers/text_normalizer.h"

#include <string>
#include <vector>

namespace headscope {

/// All normalisation rules of SentencePiece (Kudo, Richardson 2018): the longest replacements of
/// its table, then spaces.
struct PieceRules
{
    CharsMap map;             ///< May be empty.
    bool removeSpaces = true; ///< Removes spaces at both ends, and all but one of several.
    bool addPrefix = true;    ///< Prepends a space.
    bool escapeSpaces = true; ///< Writes "▁" for " ".
    std::vector<std::string> untouched; ///< Matched in the text before the table is applied.
};

TextNormalizer pieceRulesNormalizer(PieceRules rules);

} // namespace headscope
