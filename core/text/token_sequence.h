#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace headscope {

using TokenId = std::int32_t;

/// Half-open range of bytes of the text that was tokenized.
struct ByteRange
{
    std::size_t begin = 0;
    std::size_t end = 0;

    friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// Values of Token::turn that name no turn.
constexpr int kNoTurn = -2;       ///< The text is not a chat.
constexpr int kTemplateTurn = -1; ///< Written by the chat template itself.

struct Token
{
    TokenId id = 0;
    ByteRange bytes; ///< Exact bytes of this token; [0, 0] for an added special token.
    bool special = false;
    int turn = kNoTurn; ///< Turn of the chat that its text is from, counted from 0.

    friend bool operator==(const Token&, const Token&) = default;
};

/// A text and its tokens. The text may contain any bytes.
struct TokenSequence
{
    std::string text;
    std::vector<Token> tokens;

    std::size_t size() const { return tokens.size(); }

    std::vector<TokenId> ids() const;

    friend bool operator==(const TokenSequence&, const TokenSequence&) = default;
};

} // namespace headscope
