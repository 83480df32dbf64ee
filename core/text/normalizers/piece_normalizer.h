#pragma once

#include "core/text/normalizers/normalized_text.h"

namespace headscope {

inline constexpr std::string_view kPieceSpace = "\u2581"; ///< stands for a space: "▁"

/// What SentencePiece does to a text before it looks for pieces (Kudo, Richardson 2018).
struct PieceNormalization
{
    bool nfkc = true;         ///< compatibility forms become plain ones, other white space becomes
                              ///< spaces, control characters go ("nmt_nfkc")
    bool removeSpaces = true; ///< at both ends, and all but one of several
    bool addPrefix = true;    ///< a text begins with a space, so that its first word is like others

    friend bool operator==(const PieceNormalization&, const PieceNormalization&) = default;
};

/// With "▁" for every space. Bytes that are no UTF-8 become U+FFFD. What is left out belongs to the
/// piece before it.
NormalizedText normalizeForPieces(std::string_view text, const PieceNormalization& settings);

} // namespace headscope
