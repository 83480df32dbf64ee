#pragma once

#include "core/text/token_sequence.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope {

/// Kind of a SentencePiece piece, in the order of the numbers in files.
enum class PieceKind { Normal, Unknown, Control, UserDefined, Unused, Byte };

/// Kind with this number in a file; nothing for an unknown one.
constexpr std::optional<PieceKind> pieceKind(std::uint64_t number)
{
    if (number < 1 || number > 6)
        return std::nullopt;
    return static_cast<PieceKind>(number - 1);
}

struct PieceModelRules
{
    std::vector<double> scores;   ///< Scores by id.
    std::vector<PieceKind> kinds; ///< Kinds by id.
    TokenId unknown = 0;
    bool byteFallback = false;    ///< Unknown characters become <0x..>.
    bool singlePrecision = false; ///< Sums scores in single precision, like SentencePiece itself.
};

} // namespace headscope
