#pragma once

#include "core/text/normalizers/normalized_text.h"

namespace headscope {

inline constexpr std::string_view kPieceSpace = "\u2581"; ///< Stands for a space: "▁".

/// SentencePiece's normalisation of a text before it is split into pieces (Kudo, Richardson 2018).
struct PieceNormalization
{
    /// Compatibility forms become plain ones, other white space becomes spaces, control characters
    /// are removed ("nmt_nfkc").
    bool nfkc = true;
    bool removeSpaces = true; ///< Removes spaces at both ends, and all but one of several.
    /// Prepends a space, so that the first word is tokenized like the others.
    bool addPrefix = true;

    friend bool operator==(const PieceNormalization&, const PieceNormalization&) = default;
};

/// Normalises with "▁" for every space. Invalid UTF-8 becomes U+FFFD. Removed bytes belong to the
/// preceding piece.
NormalizedText normalizeForPieces(std::string_view text, const PieceNormalization& settings);

} // namespace headscope
