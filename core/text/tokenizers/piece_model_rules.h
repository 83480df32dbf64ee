#pragma once

#include "core/text/token_sequence.h"

#include <vector>

namespace headscope {

/// What SentencePiece says of a piece.
enum class PieceKind { Normal, Unknown, Control, UserDefined, Unused, Byte };

struct PieceModelRules
{
    std::vector<double> scores;   ///< by id
    std::vector<PieceKind> kinds; ///< by id
    TokenId unknown = 0;
    bool byteFallback = false;    ///< what is unknown becomes <0x..>
    bool singlePrecision = false; ///< sums of scores as SentencePiece itself makes them
};

} // namespace headscope
