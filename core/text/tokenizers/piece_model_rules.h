#pragma once

#include "core/text/token_sequence.h"

#include <vector>

namespace headscope {

/// Kind of a SentencePiece piece.
enum class PieceKind { Normal, Unknown, Control, UserDefined, Unused, Byte };

struct PieceModelRules
{
    std::vector<double> scores;   ///< Scores by id.
    std::vector<PieceKind> kinds; ///< Kinds by id.
    TokenId unknown = 0;
    bool byteFallback = false;    ///< Unknown characters become <0x..>.
    bool singlePrecision = false; ///< Sums scores in single precision, like SentencePiece itself.
};

} // namespace headscope
