#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace headscope::ui {

/// One token in readable form.
struct TokenChip
{
    QString text; ///< Text; empty if an earlier token shows the character.
    TokenId id = 0;
    ByteRange bytes; ///< Byte range in the typed text.
    QString rawText; ///< This token's own bytes in readable form: "<0xE6><0x97>".
    bool special = false;
    bool masked = false;        ///< Struck through: masked for all queries.
    bool joinsPrevious = false; ///< Belongs to the same character as the previous token.
    int turn = kNoTurn;         ///< Turn of the chat that it is from, see Token::turn.

    bool isOfTemplate() const { return turn == kTemplateTurn; }
};

/// Readable chips of a text. Consecutive tokens that only together form a UTF-8 character are
/// joined: the first shows the character, the others only their position.
std::vector<TokenChip> tokenChips(const TokenSequence& tokens, const Tokenizer& tokenizer);

/// Labels of tokens in maps and bars (joined tokens repeat their character).
QStringList tokenLabels(const std::vector<TokenChip>& chips);

} // namespace headscope::ui
