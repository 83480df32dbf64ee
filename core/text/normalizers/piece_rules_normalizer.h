#pragma once

#include "core/text/normalizers/charsmap.h"
#include "core/text/normalizers/text_normalizer.h"

#include <string>
#include <vector>

namespace headscope {

/// All that SentencePiece does to a text (Kudo, Richardson 2018): the longest replacements of its
/// table, then spaces.
struct PieceRules
{
    CharsMap map;                       ///< may be empty
    bool removeSpaces = true;           ///< at both ends, and all but one of several
    bool addPrefix = true;              ///< a text begins with a space
    bool escapeSpaces = true;           ///< "▁" for " "
    std::vector<std::string> untouched; ///< found in the text before the table is looked at
};

NormalizerPtr pieceRulesNormalizer(PieceRules rules);

} // namespace headscope
