#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <string>
#include <vector>

namespace headscope {

class ChatTemplate;
class TurnText;

/// One turn of a chat: who speaks, and what.
struct ChatTurn
{
    std::string role; ///< "system", "user" or "assistant".
    std::string content;

    friend bool operator==(const ChatTurn&, const ChatTurn&) = default;
};

/// A chat that a model reads through its template.
struct ChatInput
{
    std::vector<ChatTurn> turns;
    bool addGenerationPrompt = true; ///< Ends with the beginning of the assistant's turn.

    friend bool operator==(const ChatInput&, const ChatInput&) = default;
};

/// True for the tokens of a chat, whose special tokens are written by its template.
bool isChat(const TokenSequence& tokens);

/// Tokens of a rendered chat, each with its turn: that of its first byte that is not the
/// template's. The template writes the special tokens, so none are added.
TokenSequence encodeTurns(const Tokenizer& tokenizer, const TurnText& text);

/// The chat, rendered and encoded. Throws Error for what the template refuses.
TokenSequence encodeChat(const Tokenizer& tokenizer, const ChatTemplate& chatTemplate,
                         const ChatInput& chat);

} // namespace headscope
