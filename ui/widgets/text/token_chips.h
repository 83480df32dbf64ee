#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace headscope::ui {

/// One token as a person reads it.
struct TokenChip
{
    QString text; ///< empty in a piece whose character stands in an earlier piece
    TokenId id = 0;
    ByteRange bytes; ///< of the typed text
    QString rawText; ///< this token's own bytes, readable: "<0xE6><0x97>"
    bool special = false;
    bool masked = false;        ///< struck through: nobody may look at it
    bool joinsPrevious = false; ///< belongs to the same character as the token before
};

/// Readable chips of a text. Consecutive tokens that only together form a UTF-8 character are
/// joined: the first shows the character, the others only their position.
std::vector<TokenChip> tokenChips(const TokenSequence& tokens, const Tokenizer& tokenizer);

/// What labels of maps and bars show for each token (joined pieces repeat their character).
QStringList tokenLabels(const std::vector<TokenChip>& chips);

} // namespace headscope::ui
